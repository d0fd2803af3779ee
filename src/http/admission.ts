import type { Caller } from './endpoint.ts';

/** The answer of the token bucket. `remaining` is in whole tokens. */
export interface Throughput {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly retryAfterSeconds: number;
}

/** Credits reserved for one request, or too few left. */
export type Reservation = Granted | { readonly granted: false; readonly left: number };

/** Reserved credits; released to their month when the response is not a 200. */
export interface Granted {
  readonly granted: true;
  release(credits: number): void;
}

/** A lookup without a key. `retryAfterSeconds` is 0 when it is granted. */
export interface Anonymous {
  readonly caller: Caller;
  readonly retryAfterSeconds: number;
}

/** Decides which requests reach an endpoint. Implemented by `accounts/`, in process or shared. */
export interface Admission {
  /** The caller behind a key; null when the key is not recognised. Cached keys answer without a promise. */
  identify(key: string): Caller | null | Promise<Caller | null>;
  /** Whether the key was valid on this instance a short while ago; such a key is not refused for its address. */
  isKnown(key: string): boolean;
  /** The caller that a lookup without a key has, or when the address may make the next; null when a key is needed. */
  takeAnonymous(ip: string): Anonymous | null | Promise<Anonymous | null>;
  takeToken(caller: Caller): Throughput | Promise<Throughput>;
  /** Whether a publishable key may read a hint for a client at this address now. */
  takeHint(caller: Caller, ip: string): Throughput | Promise<Throughput>;
  reserveCredits(caller: Caller, credits: number): Reservation | Promise<Reservation>;
  /** Seconds until an abusive address may speak again; 0 when it may. */
  blockedForSeconds(ip: string): number;
  /** Counts a refusal, for its key or its throughput, against the address. */
  recordRefusal(ip: string): void;
}
