/**
 * What several processes count together. Every method rejects, within its budget of time, when the counts cannot be obtained; then a
 * process counts for itself.
 */
export interface LimitCounters {
  /** Takes tokens of an account's bucket. */
  takeTokens(accountId: string, wish: TokenRequest): Promise<TakenTokens>;
  /** Counts a lookup without a key of an address; how many milliseconds it has to wait, 0 when it is granted. */
  takeAnonymous(address: string, perHour: number): Promise<number>;
  /** Counts a refusal against an address, and blocks it once there were `after` within a minute. */
  recordRefusal(address: string, after: number): Promise<void>;
  /** The blocks that began after `position`, and where to go on. */
  blocksSince(position: number): Promise<{ readonly blocks: readonly AddressBlock[]; readonly position: number }>;
  /** How many processes share the counts, as last heard; at least 1. */
  processes(): number;
  /** Whether the counts could not be obtained a moment ago: then nobody waits for them. */
  isUnavailable(): boolean;
}

/** How many tokens a process wants of a bucket, and what it did while it could not ask. */
export interface TokenRequest {
  /** What the bucket holds when it is full, and gets every second. */
  readonly capacity: number;
  /** What it holds as far as this process knows: so much is in one that is not there, because nobody used it or it was lost. */
  readonly expected: number;
  /** It is given as many of these as there are. */
  readonly wanted: number;
  /** Granted without asking, and taken off the bucket now; less than nothing is given back to it. */
  readonly owed: number;
  /** Null when it was not alone lately. */
  readonly alone: Alone | null;
}

/** A process that could not ask went on with its share of the bucket. */
export interface Alone {
  readonly forMs: number;
  /** What is left of the share, and what it gets every second. */
  readonly share: number;
  readonly perSecond: number;
  /** What is left of what the share got in this time alone; below 0 when more was granted. */
  readonly earned: number;
}

/** How many tokens were given out, and how many are left. */
export interface TakenTokens {
  readonly taken: number;
  readonly left: number;
  /** Given out besides, for requests that come within `aheadMs` of the question; what is not used is no longer owed. None where it is not said. */
  readonly ahead?: number;
}

/** How long tokens that were given out ahead may be used. */
export const aheadMs = 50;

/** An address that was refused again and again, and how long it stays blocked. */
export interface AddressBlock {
  readonly address: string;
  readonly leftMs: number;
}

/** A question was given up: what it came to is told later, by `answer`, if it comes to anything. */
export class LateAnswer extends Error {
  readonly answer: Promise<unknown>;
  constructor(message: string, answer: Promise<unknown>) {
    super(message);
    this.answer = answer;
  }
}
