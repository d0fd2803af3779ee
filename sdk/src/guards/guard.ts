import type { Challenge, Challenges } from '../challenge/challenges.ts';
import type { Action, Decision, DecisionInput, OutageDecision } from '../decide.ts';
import { ValidationError } from '../errors.ts';

/** Settings of every guard. */
export interface GuardSettings {
  readonly client: GuardClient;
  readonly gateId: string;
  /** The decision during an outage of the service; `allow` by default, so that people can keep signing up. */
  readonly failOpen?: Action | undefined;
  /**
   * The guard's treatment of `challenge`; `allow` by default: `onDecision` can note who must take another step. With
   * `createChallenges` of `@signalpost/client/challenge` the visitor's browser must solve one.
   */
  readonly challenge?: 'allow' | 'block' | Challenges | undefined;
  /** Called when a visitor has solved a challenge, with the decision that asked for it; null after an outage. */
  readonly onSolved?:
    | ((solved: { readonly email: string; readonly decisionId: string | null }) => void | Promise<void>)
    | undefined;
  /** How long a visitor may be kept waiting; 3,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Called with every decision before the guard acts on it; those of an outage have `outage`. */
  readonly onDecision?: ((result: Decision | OutageDecision) => void | Promise<void>) | undefined;
}

/** The settings of a guard that cannot send a challenge to the visitor's browser. */
export interface WithoutChallenge extends Omit<GuardSettings, 'challenge' | 'onSolved'> {
  readonly challenge?: 'allow' | 'block' | undefined;
}

/** The part of a client that guards call. */
export interface GuardClient {
  readonly gates: {
    decide(
      gateId: string,
      input: DecisionInput,
      options: { failOpen: Action; timeoutMs: number },
    ): PromiseLike<Decision | OutageDecision>;
  };
}

/** How a guard reads the address and the IP address of a request; by default the `email` of the body, and no IP address. */
export interface GuardInput<Request> {
  readonly email?: ((request: Request) => unknown) | undefined;
  readonly ip?: ((request: Request) => string | null | undefined) | undefined;
}

/** The common part of the requests of Express, Fastify and Nest. */
export interface IncomingRequest {
  readonly body?: unknown;
  readonly ip?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The values that a guard reads from a request. */
export interface Sent {
  readonly email: unknown;
  readonly ip?: string | null | undefined;
  /** The solution of a challenge; `ask` requests a challenge in any case, for a form that is then sent natively. */
  readonly solution?: unknown;
}

/** The response to a rejected visitor: its status, and a body with a text for the visitor. */
export interface Refusal {
  readonly status: 403 | 422 | 503;
  readonly body: {
    readonly error: 'email_missing' | 'email_invalid' | 'email_refused' | 'challenge_required' | 'service_unavailable';
    readonly message: string;
    readonly challenge?: Challenge;
  };
}

const refused = (error: Refusal['body']['error'], message: string): Refusal => ({
  status: 422,
  body: { error, message },
});

/** The address is not the reason, so the visitor may try again. */
const unavailable: Refusal = {
  status: 503,
  body: { error: 'service_unavailable', message: 'Please try again in a moment.' },
};

/** Asks the gate; null lets the visitor pass. Throws when the program must be corrected, such as for a wrong key. */
export async function refusalOf(settings: GuardSettings, { email, ip, solution }: Sent): Promise<Refusal | null> {
  // This refuses more than a missing address: a list of addresses must not slip past the check into the program behind it.
  if (typeof email !== 'string' || email === '') {
    return refused('email_missing', 'An email address is required.');
  }
  const { challenge: meaning } = settings;
  const challenges = typeof meaning === 'object' ? meaning : null;
  // Passed on, the route would sign the visitor up, and again when the form is then sent natively.
  if (challenges === null && solution === 'ask') throw new TypeError(noChallenges);
  // The gate decided about this address when it asked for the challenge.
  const solved = challenges !== null && solution !== 'ask' ? await challenges.verify(email, solution) : null;
  if (solved !== null) {
    await settings.onSolved?.({ email, ...solved });
    return null;
  }
  const result = await ask(settings, email, ip);
  if (result === null) return refused('email_invalid', 'The email address is invalid.');
  await settings.onDecision?.(result);
  const { action, matched_rule: rule } = result.decision;
  const message = rule?.message ?? null;
  const effort = action === 'allow' ? 'none' : 'usual';
  if (challenges !== null && (action === 'challenge' || (action === 'allow' && solution === 'ask'))) {
    return challengeRequired(
      await challenges.issue(email, { effort, decisionId: result.meta?.decision_id ?? null }),
      message,
    );
  }
  if (action === 'allow' || (action === 'challenge' && meaning !== 'block')) return null;
  if ('outage' in result) return unavailable;
  return refused('email_refused', message ?? 'This email address cannot be used.');
}

const challengeRequired = (challenge: Challenge, message: string | null): Refusal => ({
  status: 403,
  body: { error: 'challenge_required', message: message ?? 'Please complete the check.', challenge },
});

const noChallenges =
  'A form marked data-signalpost="challenge" asks for a challenge, and the guard has none. Give the guard challenge: createChallenges({ secret }), or mark the form data-signalpost alone.';

/** Asks the gate about a request of Express, Fastify or Nest whose body is parsed; null lets it pass. */
export async function refusalOfRequest(
  settings: GuardSettings & GuardInput<IncomingRequest>,
  request: IncomingRequest,
): Promise<Refusal | null> {
  const { email = emailOfBody, ip } = settings;
  if (email === emailOfBody) requireParsedBody(request);
  const solution = request.headers['signalpost-challenge'] ?? solutionOfBody(request.body);
  return refusalOf(settings, { email: email(request), ip: ip?.(request), solution });
}

/** A body that arrived and was not parsed is a mistake of the program, not of its visitors. */
function requireParsedBody({ body, headers }: IncomingRequest): void {
  const type = String(headers['content-type'] ?? '');
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  if (body !== undefined || !hasBody || !/json|urlencoded|multipart/i.test(type)) return;
  throw new TypeError(
    `The sign-up guard found no parsed body (${type}). Parse it before the guard, for example app.use(express.json(), express.urlencoded()) in Express, or use the guard as preHandler in Fastify.`,
  );
}

/** The gate's decision; null when the gate rejects the address as invalid. */
async function ask(
  { client, gateId, failOpen = 'allow', timeoutMs = 3_000 }: GuardSettings,
  email: string,
  ip: string | null | undefined,
): Promise<Decision | OutageDecision | null> {
  try {
    return await client.gates.decide(gateId, { email, ip }, { failOpen, timeoutMs });
  } catch (cause) {
    if (cause instanceof ValidationError && cause.code === 'invalid_email') return null;
    // Without the status of the cause: frameworks would answer the visitor with it.
    throw new Error('The gate could not decide', { cause });
  }
}

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined;

/** The `email` of a parsed body of any type. */
export const emailOfBody = ({ body }: { readonly body?: unknown }): unknown => fieldOf(body, 'email');

/** The solution of a challenge in a parsed body of any type. */
export const solutionOfBody = (body: unknown): unknown => fieldOf(body, 'signalpost_challenge');

/** A request's JSON or form, whose body the guarded handler must be able to read again. */
export async function contentOf(
  contentType: string | null | undefined,
  { json, form }: { json(): Promise<unknown>; form(): Promise<unknown> },
): Promise<unknown> {
  try {
    return await (contentType?.includes('json') ? json() : form());
  } catch {
    return undefined; // An unreadable body has no address in it.
  }
}
