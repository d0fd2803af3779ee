import type { Throughput } from '../../http/admission.ts';
import { boundedMap } from '../../memory/bounded-map.ts';
import { type Bucket, capacityOf, fill, type Metered, type ThroughputLimiter, throughputOf } from '../throughput.ts';
import { LateAnswer, type SharedCounts, type TakenTokens } from './shared-counts.ts';

/** One account in this process: who waits for tokens, and this process's share of the bucket for when it cannot be asked. */
interface Line {
  readonly share: Bucket;
  waiting: { readonly caller: Metered; resolve(answer: Throughput): void }[];
  isAsking: boolean;
  /** When this process last counted the account alone. */
  aloneAtMs: number;
  /** What it granted alone and the common bucket does not know of yet. */
  owed: number;
}

/** Other processes notice within this time that they can count together again. */
const noticeMs = 250;
/** For so long after it was counted alone, a bucket that is not there was lost, and is not one that nobody used. */
const lostMs = 2_000;

/** Nobody makes so many requests a second to one process: its share is enough, and nobody is asked. */
const unreachablePerSecond = 50_000;

/** A question whose connection ended: nobody knows whether it was counted. */
function unheard(): void {}

/** Accounts remembered; the one asked for longest ago is forgotten first. */
const maxLines = 50_000;

/**
 * One bucket per account for all processes. Requests that come while a question is under way are asked for together in the
 * next, so that a busy account costs few questions; no token is ever held in advance, so the bucket is never exceeded.
 */
export function createSharedThroughput(
  counts: Pick<SharedCounts, 'takeTokens' | 'processes' | 'isAway'>,
  monotonicMs: () => number,
  onFallback: () => void,
): ThroughputLimiter {
  const lines = boundedMap<string, Line>(maxLines);

  const lineOf = ({ accountId, plan }: Metered): Line => {
    const known = lines.get(accountId);
    if (known !== undefined) return known;
    const share = { tokens: capacityOf(plan) / counts.processes(), filledAtMs: monotonicMs() };
    const line: Line = { share, waiting: [], isAsking: false, aloneAtMs: Number.NEGATIVE_INFINITY, owed: 0 };
    lines.set(accountId, line);
    return line;
  };

  const takeOfShare = (line: Line, { plan }: Metered): Throughput => {
    const { share } = line;
    const perSecond = capacityOf(plan) / counts.processes();
    fill(share, Math.max(1, perSecond), perSecond, monotonicMs());
    const allowed = share.tokens >= 1;
    if (allowed) share.tokens -= 1;
    return throughputOf(plan, allowed, share.tokens, perSecond);
  };

  const takeAlone = (line: Line, caller: Metered): Throughput => {
    line.aloneAtMs = monotonicMs();
    onFallback();
    const answer = takeOfShare(line, caller);
    if (answer.allowed) line.owed += 1;
    return answer;
  };

  /** What a bucket begins with that is not there: full, unless it was lost and others may go on with their shares for a moment. */
  const initialOf = ({ share, aloneAtMs }: Line, capacity: number): number => {
    const nowMs = monotonicMs();
    if (nowMs - aloneAtMs > lostMs) return capacity;
    const perSecond = capacity / counts.processes();
    fill(share, Math.max(1, perSecond), perSecond, nowMs);
    return share.tokens - ((capacity - perSecond) * noticeMs) / 1_000;
  };

  const ask = async (line: Line, { accountId, plan }: Metered): Promise<void> => {
    const capacity = capacityOf(plan);
    const { waiting, owed } = line;
    line.waiting = [];
    // What was taken too late was granted alone meanwhile: the bucket gets it back.
    const settle = (late: unknown): void => {
      line.owed -= owed + (late as TakenTokens).taken;
    };
    try {
      const initial = initialOf(line, capacity);
      const { taken, left } = await counts.takeTokens(accountId, capacity, waiting.length, initial, owed);
      line.owed -= owed;
      // Should the counts be lost now, this process goes on with its share of what is left.
      line.share.tokens = left / counts.processes();
      line.share.filledAtMs = monotonicMs();
      for (const [place, { caller, resolve }] of waiting.entries())
        resolve(throughputOf(caller.plan, place < taken, left + Math.max(0, taken - place - 1), capacity));
    } catch (error) {
      // Counted, and told in the log by whoever keeps the counts.
      for (const { caller, resolve } of waiting) resolve(takeAlone(line, caller));
      if (error instanceof LateAnswer) error.answer.then(settle, unheard);
    }
  };

  const askAll = async (line: Line, caller: Metered): Promise<void> => {
    line.isAsking = true;
    while (line.waiting.length > 0) await ask(line, line.waiting[0]?.caller ?? caller);
    line.isAsking = false;
  };

  return {
    take(caller) {
      const line = lineOf(caller);
      if (capacityOf(caller.plan) / counts.processes() >= unreachablePerSecond) return takeOfShare(line, caller);
      if (counts.isAway()) return takeAlone(line, caller);
      const { promise, resolve } = Promise.withResolvers<Throughput>();
      line.waiting.push({ caller, resolve });
      if (!line.isAsking) void askAll(line, caller);
      return promise;
    },
  };
}
