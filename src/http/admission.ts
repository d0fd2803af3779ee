import type { Caller } from './endpoint.ts';

/** What the token bucket said. `remaining` is in whole tokens. */
export interface Throughput {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly retryAfterSeconds: number;
}

/** Credits set aside for one request, or when there will be some again. */
export type Reservation = Granted | { readonly granted: false; readonly resetInSeconds: number };

/** Credits set aside; given back, to the month they came from, when the answer is not a 200. */
export interface Granted {
  readonly granted: true;
  release(credits: number): void;
}

/** What stands between a stranger and an endpoint. Implemented by `accounts/`, in process or shared. */
export interface Admission {
  /** The caller behind a key; null when the key is not recognised. Cached keys answer without a promise. */
  identify(key: string): Caller | null | Promise<Caller | null>;
  takeToken(caller: Caller): Throughput | Promise<Throughput>;
  reserveCredits(caller: Caller, credits: number): Reservation | Promise<Reservation>;
  /** Seconds until an abusive address may speak again; 0 when it may. */
  blockedForSeconds(ip: string): number;
  /** Counts an answer of 401 or 429 against the address. */
  recordRefusal(ip: string): void;
}
