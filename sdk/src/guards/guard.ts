import type { Signalpost } from '../client.ts';
import type { Action, Decision, OutageDecision } from '../decide.ts';
import { ValidationError } from '../errors.ts';

/** What every guard needs to know. */
export interface GuardSettings {
  readonly client: Pick<Signalpost, 'gates'>;
  readonly gateId: string;
  /** What an outage of the service decides; `allow` by default, so that people can keep signing up. */
  readonly failOpen?: Action | undefined;
  /** What `challenge` means here; `allow` by default: `onDecision` can note who must take another step. */
  readonly challenge?: 'allow' | 'block' | undefined;
  /** How long a visitor may be kept waiting; 3,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Called with every decision before the guard acts on it; those of an outage have `outage`. */
  readonly onDecision?: ((result: Decision | OutageDecision) => void | Promise<void>) | undefined;
}

/** How a guard finds what to decide about; by default the `email` of the body, and no IP address. */
export interface GuardInput<Request> {
  readonly email?: ((request: Request) => unknown) | undefined;
  readonly ip?: ((request: Request) => string | null | undefined) | undefined;
}

/** What the requests of Express and Fastify have in common. */
export interface IncomingRequest {
  readonly body?: unknown;
  readonly ip?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The response to a rejected visitor: its status, and a body with a text for the visitor. */
export interface Refusal {
  readonly status: 422 | 503;
  readonly body: {
    readonly error: 'email_missing' | 'email_invalid' | 'email_refused' | 'service_unavailable';
    readonly message: string;
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
export async function refusalOf(
  settings: GuardSettings,
  email: unknown,
  ip?: string | null | undefined,
): Promise<Refusal | null> {
  // This refuses more than a missing address: a list of addresses must not slip past the check into the program behind it.
  if (typeof email !== 'string' || email === '') {
    return refused('email_missing', 'An email address is required.');
  }
  const result = await ask(settings, email, ip);
  if (result === null) return refused('email_invalid', 'The email address is invalid.');
  await settings.onDecision?.(result);
  const { action, matched_rule: rule } = result.decision;
  if (action === 'allow' || (action === 'challenge' && settings.challenge !== 'block')) return null;
  if ('outage' in result) return unavailable;
  return refused('email_refused', rule?.message ?? 'This email address cannot be used.');
}

/** Asks the gate about a request of Express or Fastify whose body is parsed; null lets it pass. */
export function refusalOfRequest(
  settings: GuardSettings & GuardInput<IncomingRequest>,
  request: IncomingRequest,
): Promise<Refusal | null> {
  const { email = emailOfBody, ip } = settings;
  return refusalOf(settings, email(request), ip?.(request));
}

/** What the gate says; null when it says that this is not an address. */
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
    throw new Error('The gate could not be asked', { cause });
  }
}

/** The `email` of a parsed body of any type. */
export function emailOfBody({ body }: { readonly body?: unknown }): unknown {
  return typeof body === 'object' && body !== null && 'email' in body ? body.email : undefined;
}

/** The `email` of a request's JSON or form, whose body the guarded handler must be able to read again. */
export async function emailOfContent(
  contentType: string | null | undefined,
  { json, form }: { json(): Promise<unknown>; form(): Promise<unknown> },
): Promise<unknown> {
  try {
    return emailOfBody({ body: await (contentType?.includes('json') ? json() : form()) });
  } catch {
    return undefined; // An unreadable body has no address in it.
  }
}
