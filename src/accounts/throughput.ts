import type { Throughput } from '../http/admission.ts';
import type { Caller } from '../http/endpoint.ts';

/** Requests per second, counted per account. The in-process form; a shared one has the same shape. */
export interface ThroughputLimiter {
  take(caller: Metered): Throughput | Promise<Throughput>;
}

/** Who is counted, and how many requests a second they have. */
export type Metered = Pick<Caller, 'accountId'> & { readonly plan: Pick<Caller['plan'], 'rateLimit'> };

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * A token bucket per account that holds one second's worth of requests. `monotonicMs` must never go back: a wall clock
 * that is set would lock an account out.
 */
export function createThroughputLimiter(monotonicMs: () => number): { take(caller: Metered): Throughput } {
  const buckets = new Map<string, Bucket>();
  return {
    take({ accountId, plan }) {
      const capacity = Math.max(1, plan.rateLimit);
      const nowMs = monotonicMs();
      let bucket = buckets.get(accountId);
      if (bucket === undefined) {
        bucket = { tokens: capacity, filledAtMs: nowMs };
        buckets.set(accountId, bucket);
      }
      bucket.tokens = Math.min(capacity, bucket.tokens + ((nowMs - bucket.filledAtMs) / 1000) * capacity);
      bucket.filledAtMs = nowMs;
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      return {
        allowed,
        limit: plan.rateLimit,
        remaining: Math.floor(bucket.tokens),
        retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / capacity)),
      };
    },
  };
}
