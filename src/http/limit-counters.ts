import type { NamedWindow } from '../platform/sliding-window.ts';

/**
 * Counters that several processes share. Each method rejects, within the timeout of a circuit breaker, when the counters do not
 * answer; then a process enforces its share of the limit.
 */
export interface LimitCounters {
  /** Takes tokens from an account's bucket. */
  takeTokens(accountId: string, request: TokenRequest): Promise<TakenTokens>;
  /** Counts an event of a key; resolves to the milliseconds until the next is allowed, 0 when this one is. */
  takeFromWindow(window: NamedWindow, key: string): Promise<number>;
  /** Counts a refusal of an address, and blocks the address after `after` refusals within a minute. */
  recordRefusal(address: string, after: number): Promise<void>;
  /** The blocks that began after `position`, and the position to continue from. */
  blocksSince(position: number): Promise<{ readonly blocks: readonly AddressBlock[]; readonly position: number }>;
  /** The last known number of processes that share the counters; at least 1. */
  processes(): number;
  /** Whether the last call failed; callers then use their share without a call. */
  isUnavailable(): boolean;
}

/** A request for tokens of an account's bucket. */
export interface TokenRequest {
  /** The size of the bucket, which is also its refill per second. */
  readonly capacity: number;
  /** The level last known to the process: the initial level of a missing bucket, and with `owed` the maximum of an existing one. */
  readonly knownLevel: number;
  /** The bucket grants up to this many tokens. */
  readonly wanted: number;
  /** Tokens that the process just granted from its share, because the bucket was unavailable. */
  readonly owed: number;
}

/** The number of tokens granted, and left in the bucket. */
export interface TakenTokens {
  readonly taken: number;
  readonly left: number;
}

/** A blocked address, and the remaining time of its block. */
export interface AddressBlock {
  readonly address: string;
  readonly leftMs: number;
}
