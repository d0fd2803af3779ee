import { createIpBlock } from '../accounts/ip-block.ts';
import { type Bucket, fill } from '../accounts/throughput.ts';
import type { LimitCounters } from '../http/limit-counters.ts';
import { createSlidingWindow } from '../platform/sliding-window.ts';

/** Counters in the memory of the process that counts for several others. */
export type MemoryCounters = Pick<LimitCounters, 'takeTokens' | 'takeFromWindow' | 'recordRefusal' | 'blocksSince'>;

const blockMs = 300_000;
/** A flood from many addresses must not fill the memory: the oldest block is evicted first. */
const maxBlocks = 20_000;

/** Creates empty counters; `monotonicMs` must never go back. */
export function createMemoryCounters(monotonicMs: () => number): MemoryCounters {
  const buckets = new Map<string, Bucket>();
  const windows = new Map<string, ReturnType<typeof createSlidingWindow>>();
  const blocks: { readonly address: string; readonly untilMs: number }[] = [];
  let evicted = 0;
  const onBlocked = (address: string): void => {
    blocks.push({ address, untilMs: monotonicMs() + blockMs });
    while (blocks.length > maxBlocks || (blocks[0]?.untilMs ?? Number.POSITIVE_INFINITY) <= monotonicMs()) {
      blocks.shift();
      evicted += 1;
    }
  };
  /** The processes decide which addresses to exempt, before they report a refusal. */
  const blockOf = (after: number) =>
    createIpBlock({ after, loopback: true, exemptsPrivate: false, monotonicMs, onBlocked, onExempted() {} });
  const ipBlocks = new Map<number, ReturnType<typeof blockOf>>();

  return {
    async takeTokens(accountId, { capacity, knownLevel, wanted, owed }) {
      const nowMs = monotonicMs();
      const bucket = buckets.get(accountId) ?? { tokens: capacity, filledAtMs: nowMs };
      buckets.set(accountId, bucket);
      fill(bucket, capacity, capacity, nowMs);
      if (owed > 0) bucket.tokens = Math.min(bucket.tokens, knownLevel) - owed;
      const taken = Math.max(0, Math.min(wanted, Math.floor(bucket.tokens)));
      bucket.tokens -= taken;
      return { taken, left: bucket.tokens };
    },
    async takeFromWindow(window, key) {
      const take = windows.get(window.name) ?? createSlidingWindow(window, monotonicMs);
      windows.set(window.name, take);
      return take(key) * 1_000;
    },
    async recordRefusal(address, after) {
      const ipBlock = ipBlocks.get(after) ?? blockOf(after);
      ipBlocks.set(after, ipBlock);
      ipBlock.recordRefusal(address);
    },
    async blocksSince(position) {
      const nowMs = monotonicMs();
      const added = blocks.slice(Math.max(0, position - evicted));
      return {
        blocks: added.map(({ address, untilMs }) => ({ address, leftMs: untilMs - nowMs })),
        position: evicted + blocks.length,
      };
    },
  };
}
