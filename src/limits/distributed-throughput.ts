import {
  type Bucket,
  capacityOf,
  fill,
  type Metered,
  type ThroughputLimiter,
  throughputOf,
} from '../accounts/throughput.ts';
import type { Throughput } from '../http/admission.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { type Alone, aheadMs, LateAnswer, type LimitCounters, type TakenTokens } from './limit-counters.ts';

/** One account in this process: who waits for tokens, and this process's share of the bucket for when it cannot be asked. */
interface Line {
  readonly share: Bucket;
  /** What this process would have had the bucket been empty when it was first alone. */
  readonly earned: Bucket;
  waiting: Waiter[];
  /** Tokens that were taken already, and until when they may be used. */
  ahead: number;
  aheadUntilMs: number;
  isAsking: boolean;
  /** Since when this process counts the account alone, or did until it could ask again, and when it last did. */
  aloneSinceMs: number | null;
  aloneAtMs: number;
  /** What it granted alone and the common bucket does not know of yet. */
  owed: number;
}

interface Waiter {
  readonly caller: Metered;
  resolve(answer: Throughput): void;
}

/** Who has counted alone for the last time longer ago than this has nothing to tell of it but what it granted. */
const latelyMs = 2_000;

/** Nobody makes so many requests a second to one process: its share is enough, and nobody is asked. */
const unreachablePerSecond = 50_000;

/** A question whose connection ended: nobody knows whether it was counted. */
function unheard(): void {}

/** Accounts remembered; the one asked for longest ago is forgotten first. */
const maxLines = 50_000;

/**
 * One bucket per account for all processes. Requests that come while a question is under way are asked for together in the
 * next, so that a busy account costs few questions. Tokens are held in advance only if they were given so, and then the bucket has
 * less room: it is never exceeded.
 */
export function createDistributedThroughput(
  counts: Pick<LimitCounters, 'takeTokens' | 'processes' | 'isUnavailable'>,
  monotonicMs: () => number,
  onFallback: () => void,
): ThroughputLimiter {
  const lines = boundedMap<string, Line>(maxLines);

  const lineOf = ({ accountId, plan }: Metered): Line => {
    const known = lines.get(accountId);
    if (known !== undefined) return known;
    const nowMs = monotonicMs();
    const share = { tokens: capacityOf(plan) / counts.processes(), filledAtMs: nowMs };
    const earned = { tokens: 0, filledAtMs: nowMs };
    const asking = { waiting: [], isAsking: false, ahead: 0, aheadUntilMs: 0 };
    const line: Line = { share, earned, ...asking, aloneSinceMs: null, aloneAtMs: 0, owed: 0 };
    lines.set(accountId, line);
    return line;
  };

  /** Adds what has come to this process's part; how much that is a second. */
  const fillPart = (part: Bucket, { plan }: Metered): number => {
    const perSecond = capacityOf(plan) / counts.processes();
    fill(part, Math.max(1, perSecond), perSecond, monotonicMs());
    return perSecond;
  };

  const takeOfShare = (line: Line, caller: Metered): Throughput => {
    const { share } = line;
    const perSecond = fillPart(share, caller);
    const allowed = share.tokens >= 1;
    if (allowed) share.tokens -= 1;
    return throughputOf(caller.plan, allowed, share.tokens, perSecond);
  };

  const hasAhead = (line: Line): boolean => line.ahead > 0 && monotonicMs() < line.aheadUntilMs;

  const takeAhead = (line: Line, { plan }: Metered): Throughput => {
    line.ahead -= 1;
    return throughputOf(plan, true, line.share.tokens * counts.processes() + line.ahead, capacityOf(plan));
  };

  /** What is left of it goes back with the next question. */
  const endAhead = (line: Line): void => {
    line.owed -= line.ahead;
    line.ahead = 0;
  };

  const takeAlone = (line: Line, caller: Metered): Throughput => {
    line.aloneAtMs = monotonicMs();
    if (line.aloneSinceMs === null) {
      line.aloneSinceMs = line.aloneAtMs;
      line.earned.tokens = 0;
      line.earned.filledAtMs = line.aloneAtMs;
    }
    onFallback();
    const answer = takeOfShare(line, caller);
    fillPart(line.earned, caller);
    if (answer.allowed) {
      line.owed += 1;
      line.earned.tokens -= 1;
    }
    return answer;
  };

  const aloneOf = (line: Line, caller: Metered): Alone | null => {
    const nowMs = monotonicMs();
    if (line.aloneSinceMs === null || nowMs - line.aloneAtMs > latelyMs) return null;
    const { share, earned } = line;
    const perSecond = fillPart(share, caller);
    fillPart(earned, caller);
    return { forMs: nowMs - line.aloneSinceMs, share: share.tokens, perSecond, earned: earned.tokens };
  };

  const ask = async (line: Line, caller: Metered): Promise<void> => {
    const capacity = capacityOf(caller.plan);
    endAhead(line);
    const { waiting, owed } = line;
    const askedAtMs = monotonicMs();
    line.waiting = [];
    // What was taken too late was granted alone meanwhile: the bucket gets it back. It has heard of the time before.
    const settle = (late: unknown): void => {
      const { taken, ahead = 0 } = late as TakenTokens;
      line.owed -= owed + taken + ahead;
      // From now on, and not from when it was asked: the question may have begun the bucket.
      if (line.aloneSinceMs !== null) line.aloneSinceMs = monotonicMs();
    };
    try {
      const alone = aloneOf(line, caller);
      fillPart(line.share, caller);
      const expected = Math.min(capacity, line.share.tokens * counts.processes());
      const wish = { capacity, expected, wanted: waiting.length, owed, alone };
      const { taken, left, ahead = 0 } = await counts.takeTokens(caller.accountId, wish);
      line.owed -= owed;
      line.aloneSinceMs = null;
      line.ahead = ahead;
      line.aheadUntilMs = askedAtMs + aheadMs;
      // Should the counts be lost now, this process goes on with its share of what is left.
      line.share.tokens = left / counts.processes();
      line.share.filledAtMs = monotonicMs();
      for (const [place, { caller: waiter, resolve }] of waiting.entries())
        resolve(throughputOf(waiter.plan, place < taken, left + Math.max(0, taken - place - 1), capacity));
    } catch (error) {
      // Counted, and told in the log by whoever keeps the counts.
      for (const { caller: waiter, resolve } of waiting) resolve(takeAlone(line, waiter));
      if (error instanceof LateAnswer) error.answer.then(settle, unheard);
    }
  };

  const askAll = async (line: Line, caller: Metered): Promise<void> => {
    line.isAsking = true;
    while (line.waiting.length > 0) {
      const first = line.waiting[0]?.caller ?? caller;
      if (hasAhead(line)) line.waiting.shift()?.resolve(takeAhead(line, first));
      else await ask(line, first);
    }
    line.isAsking = false;
  };

  return {
    take(caller) {
      const line = lineOf(caller);
      if (capacityOf(caller.plan) / counts.processes() >= unreachablePerSecond) return takeOfShare(line, caller);
      if (!line.isAsking && hasAhead(line)) return takeAhead(line, caller);
      if (counts.isUnavailable()) return takeAlone(line, caller);
      const { promise, resolve } = Promise.withResolvers<Throughput>();
      line.waiting.push({ caller, resolve });
      if (!line.isAsking) void askAll(line, caller);
      return promise;
    },
  };
}
