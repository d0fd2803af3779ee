import type { Throughput } from '../http/admission.ts';
import type { Caller } from '../http/endpoint.ts';
import { createAttachment } from '../platform/attachment.ts';

/** Requests per second, counted per account. Here for one process; `shared/` has the form for several. */
export interface ThroughputLimiter {
  take(caller: Metered): Throughput | Promise<Throughput>;
}

/** Who is counted, and how many requests a second they have. */
export type Metered = Pick<Caller, 'accountId'> & { readonly plan: Pick<Caller['plan'], 'rateLimit'> };

/** A token bucket: it holds `capacity`, and gets `perSecond` until it is full. */
export interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * A token bucket per account that holds one second's worth of requests. `monotonicMs` must never go back: a wall clock
 * that is set would lock an account out.
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

/** What a bucket holds when it is full. */
export function capacityOf({ rateLimit }: Metered['plan']): number {
  return Math.max(1, rateLimit);
}

/** Adds what has come since the bucket was looked at. */
export function fill(bucket: Bucket, capacity: number, perSecond: number, nowMs: number): void {
  bucket.tokens = Math.min(capacity, bucket.tokens + ((nowMs - bucket.filledAtMs) / 1000) * perSecond);
  bucket.filledAtMs = nowMs;
}

/** What a caller is told of the bucket. */
export function throughputOf(plan: Metered['plan'], allowed: boolean, tokens: number, perSecond: number): Throughput {
  return {
    allowed,
    limit: plan.rateLimit,
    remaining: Math.floor(tokens),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond)),
  };
}
