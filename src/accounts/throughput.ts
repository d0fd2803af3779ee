import type { Throughput } from '../http/admission.ts';
import type { Caller } from '../http/endpoint.ts';
import { createAttachment } from '../platform/attachment.ts';

/** Limits the requests per second of each account. This file limits one process; `src/limits/` limits several together. */
export interface ThroughputLimiter {
  take(caller: Metered): Throughput | Promise<Throughput>;
}

/** The account to count, and its requests per second. */
export type Metered = Pick<Caller, 'accountId'> & { readonly plan: Pick<Caller['plan'], 'rateLimit'> };

/** A token bucket's level and the time of its last refill. */
export interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * A token bucket per account that holds one second's worth of requests. `monotonicMs` must never go back: with
 * a wall clock set back, an account would be locked out.
 */
export function createThroughputLimiter(monotonicMs: () => number): { take(caller: Metered): Throughput } {
  const buckets = new Map<string, Bucket>();
  const pinned = createAttachment<Bucket>();
  const bucketOf = (caller: Metered, nowMs: number): Bucket => {
    const { accountId, plan } = caller;
    const bucket = buckets.get(accountId) ?? { tokens: capacityOf(plan), filledAtMs: nowMs };
    buckets.set(accountId, bucket);
    pinned.put(caller, bucket);
    return bucket;
  };
  return {
    take(caller) {
      const { plan } = caller;
      const capacity = capacityOf(plan);
      const nowMs = monotonicMs();
      const bucket = pinned.of(caller) ?? bucketOf(caller, nowMs);
      fill(bucket, capacity, capacity, nowMs);
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      return throughputOf(plan, allowed, bucket.tokens, capacity);
    },
  };
}

/** The number of tokens in a full bucket. */
export function capacityOf({ rateLimit }: Metered['plan']): number {
  return Math.max(1, rateLimit);
}

/** Adds the tokens that accrued since the last refill. */
export function fill(bucket: Bucket, capacity: number, perSecond: number, nowMs: number): void {
  bucket.tokens = Math.min(capacity, bucket.tokens + ((nowMs - bucket.filledAtMs) / 1000) * perSecond);
  bucket.filledAtMs = nowMs;
}

/** The bucket's state as the response headers report it. */
export function throughputOf(plan: Metered['plan'], allowed: boolean, tokens: number, perSecond: number): Throughput {
  return {
    allowed,
    limit: plan.rateLimit,
    remaining: Math.floor(tokens),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond)),
  };
}
