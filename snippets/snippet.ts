/** The service that a snippet calls. */
export interface Service {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Null: the code reads it from the environment variable `SIGNALPOST_KEY`. */
  readonly key: string | null;
}

/** Any call of the API. */
export interface ApiCall {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly body?: unknown;
}

/** The decision about a sign-up, and what the form does without one. */
export interface SignUpDecision {
  readonly gateId: string;
  readonly email: string;
  readonly ip: string;
  /** The action while the service does not answer. */
  readonly onFailure: 'allow' | 'block';
  /** `confirm` leaves the action `challenge` to the form, which asks the visitor for a confirmation first. */
  readonly onChallenge: 'confirm' | 'allow' | 'block';
}

/** A programming language in which snippets are written. */
export interface Language {
  readonly name: string;
  /** A program that makes a call and prints the response. */
  call(service: Service, call: ApiCall): string;
  /** A function for a sign-up form, and a call of it that prints the action. */
  decide(service: Service, decision: SignUpDecision): string;
}

/** How long a visitor waits for a decision. */
export const timeoutSeconds = 3;

export const invalidMessage = 'The email address is invalid.';
export const unavailableMessage = 'Please try again in a moment.';

/** The call that makes a decision. */
export function decisionCall({ gateId, email, ip }: SignUpDecision): ApiCall & { readonly body: object } {
  return { method: 'POST', target: `/v1/gates/${encodeURIComponent(gateId)}/decisions`, body: { email, ip } };
}

/** What the form does with the action, as the text of a comment. */
export function actionsComment({ onChallenge }: SignUpDecision): string {
  const confirm = onChallenge === 'confirm' ? ' challenge: ask for a confirmation first.' : '';
  return `allow: create the account.${confirm} block: show the message.`;
}

/** What happens without an answer, as the text of a comment. */
export function failureComment({ onFailure }: SignUpDecision): string {
  return `No answer: ${onFailure} the sign-up.`;
}

/** How a language writes JSON values. */
export interface Syntax {
  readonly words: Readonly<Record<'null' | 'true' | 'false', string>>;
  /** With the spaces inside an object on one line. */
  readonly object: readonly [string, string];
  readonly emptyObject: string;
  readonly pair: string;
  key(name: string): string;
  text(value: string): string;
}

const maxOnOneLine = 60;

/** A JSON value as a literal; `indent` is the indentation of the line it starts on. */
export function literal(value: unknown, syntax: Syntax, indent: string, step = '  '): string {
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value !== 'object') return syntax.words[String(value) as 'true'] ?? String(value);
  if (value === null) return syntax.words.null;
  const inside = indent + step;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, syntax, inside, step))
    : Object.entries(value).map(
        ([name, item]) => `${syntax.key(name)}${syntax.pair}${literal(item, syntax, inside, step)}`,
      );
  if (items.length === 0) return isList ? '[]' : syntax.emptyObject;
  const [open, close] = isList ? ['[', ']'] : syntax.object;
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length <= maxOnOneLine && !line.includes('\n')) return line;
  return `${open.trim()}\n${items.map((item) => `${inside}${item},\n`).join('')}${indent}${close.trim()}`;
}
