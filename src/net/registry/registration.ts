/** Why a registration date is unknown. */
export type RegistrationFailure =
  | 'offline'
  | 'timeout'
  | 'aborted'
  | 'busy'
  | 'network'
  | 'blocked_address'
  | 'redirect'
  | 'too_large'
  | 'broken'
  | 'refused'
  | 'server_error'
  | 'rate_limited'
  | 'breaker_open'
  | 'no_bootstrap';

/** A registry's answer about the date of registration. `none` is an answer: no such domain, or no date published. */
export type Registration =
  | {
      readonly kind: 'found';
      readonly registeredAtMs: number;
      readonly source: 'rdap' | 'whois';
      /** The host that reported it. */
      readonly server: string;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly reason: RegistrationFailure; readonly retryAfterMs?: number };

/** The result of one protocol; `unserved` when the registry does not support it. */
export type RegistrationAnswer = Registration | { readonly kind: 'unserved' };

const oldestMs = Date.UTC(1985, 0, 1);
const dayMs = 86_400_000;

/** Whether a date can be a registration: .com began in 1985, and clocks differ by less than a day. */
export function isSaneRegistration(atMs: number, nowMs: number): boolean {
  return atMs >= oldestMs && atMs <= nowMs + dayMs;
}

/** Whether a name may be part of a query: only host name labels, so that it can change neither a path nor a line. */
export function isQueryable(name: string): boolean {
  return name.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}$/.test(name);
}
