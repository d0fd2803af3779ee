import type { Caller } from './endpoint.ts';

/** What the token bucket said. `remaining` is in whole tokens. */
export interface Throughput {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly retryAfterSeconds: number;
}

/** Credits set aside for one request; given back when the answer is not a 200. */
export type Reservation = { readonly granted: true } | { readonly granted: false; readonly resetInSeconds: number };

/** What stands between a stranger and an endpoint. Implemented by `accounts/`, in process or shared. */
export interface Admission {
  /** The caller behind a key; null when the key is not recognised. Cached keys answer without a promise. */
  identify(key: string): Caller | null | Promise<Caller | null>;
  takeToken(caller: Caller): Throughput | Promise<Throughput>;
  reserveCredits(caller: Caller, credits: number): Reservation | Promise<Reservation>;
  releaseCredits(caller: Caller, credits: number): void;
  /** Seconds until an abusive address may speak again; 0 when it may. */
  blockedForSeconds(ip: string): number;
  /** Counts an answer of 401 or 429 against the address. */
  recordRefusal(ip: string): void;
}
