import { createAnonymous } from '../accounts/anonymous.ts';
import { createIpBlock } from '../accounts/ip-block.ts';
import { type Bucket, fill } from '../accounts/throughput.ts';
import { type AddressBlock, aheadMs, type LimitCounters, type TakenTokens } from './limit-counters.ts';

/** Counts in memory, for whoever counts for several processes. */
export type MemoryCounters = Pick<LimitCounters, 'takeTokens' | 'takeAnonymous' | 'recordRefusal' | 'blocksSince'>;

/** A bucket, and until when some of its tokens may be with the processes, unused. */
interface SharedBucket extends Bucket {
  aheadUntilMs: number;
}

/** What all processes together may have ahead, of a second's worth: while they have it, the bucket holds that much less. */
const aheadShare = 0.01;

const blockMs = 300_000;
/** A flood from many addresses must not fill the memory: the oldest block is forgotten first. */
const maxBlocks = 20_000;

/** `monotonicMs` must never go back; `processes` is for how many of them it counts. */
export function createMemoryCounters(monotonicMs: () => number, processes: number): MemoryCounters {
  const buckets = new Map<string, SharedBucket>();
  const anonymous = new Map<number, ReturnType<typeof createAnonymous>>();
  const blocks: { readonly address: string; readonly untilMs: number }[] = [];
  let forgotten = 0;
  const onBlocked = (address: string): void => {
    blocks.push({ address, untilMs: monotonicMs() + blockMs });
    while (blocks.length > maxBlocks || (blocks[0]?.untilMs ?? Number.POSITIVE_INFINITY) <= monotonicMs()) {
      blocks.shift();
      forgotten += 1;
    }
  };
  /** Whom to spare is decided by those who are refused to. */
  const blockOf = (after: number) =>
    createIpBlock({ after, loopback: true, sparesPrivate: false, monotonicMs, onBlocked, onSpared() {} });
  const ipBlocks = new Map<number, ReturnType<typeof blockOf>>();

  return {
    // Nothing that is kept here is lost: what was granted alone is all that has to be made up for.
    async takeTokens(accountId, { capacity, wanted, owed }): Promise<TakenTokens> {
      const nowMs = monotonicMs();
      const bucket = buckets.get(accountId) ?? { tokens: capacity, filledAtMs: nowMs, aheadUntilMs: nowMs };
      buckets.set(accountId, bucket);
      bucket.tokens -= owed;
      const room = nowMs < bucket.aheadUntilMs ? capacity * (1 - aheadShare) : capacity;
      fill(bucket, room, capacity, nowMs);
      const taken = Math.max(0, Math.min(wanted, Math.floor(bucket.tokens)));
      bucket.tokens -= taken;
      // While there is plenty, most requests need not ask; when it gets less, every one does.
      const ahead = bucket.tokens > capacity / 2 ? Math.floor((capacity * aheadShare) / processes) : 0;
      bucket.tokens -= ahead;
      if (ahead > 0) bucket.aheadUntilMs = nowMs + aheadMs;
      return { taken, left: bucket.tokens, ahead };
    },
    async takeAnonymous(address, perHour) {
      const take = anonymous.get(perHour) ?? createAnonymous(perHour, monotonicMs);
      anonymous.set(perHour, take);
      return (take(address)?.retryAfterSeconds ?? 0) * 1_000;
    },
    async recordRefusal(address, after) {
      const ipBlock = ipBlocks.get(after) ?? blockOf(after);
      ipBlocks.set(after, ipBlock);
      ipBlock.recordRefusal(address);
    },
    async blocksSince(position) {
      const nowMs = monotonicMs();
      const told = blocks.slice(Math.max(0, position - forgotten));
      const left = ({ address, untilMs }: (typeof blocks)[number]): AddressBlock => ({
        address,
        leftMs: untilMs - nowMs,
      });
      return { blocks: told.map(left), position: forgotten + blocks.length };
    },
  };
}
