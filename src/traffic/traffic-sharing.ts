import { createPendingQueue } from '../platform/pending-entries.ts';
import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import { createYielder, type YieldWhenDue } from '../platform/yielding.ts';
import { createBlockReader } from './block-reader.ts';
import type { Hash } from './keyed-hash.ts';
import { addObservation, type Erasable, type Observation, retractObservation, withoutErased } from './observation.ts';
import { decodeObservations, encodeObservations } from './observation-block.ts';
import type { TrafficCounts } from './traffic-counts.ts';
import type { TrafficBlock, TrafficStore } from './traffic-store.ts';
import { bucketOf, dayBuckets } from './windows.ts';

/** Shares what processes count, and keeps it for the next start. */
export interface TrafficSharing {
  readonly buffer: WriteBehind;
  /** Another process shall count it too. */
  add(seen: Observation): void;
  /** Counts what other processes, and those before this one, have written since the last call. */
  poll(): Promise<void>;
}

export interface TrafficSharingParts {
  readonly store: TrafficStore;
  readonly counts: TrafficCounts;
  /** The name of this process. */
  readonly self: string;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  /** Observations that other processes never learn of: storage rejected them, or (error null) the buffer was full. */
  onDropped(observations: number, error: unknown): void;
}

/** About 30 MB; storage that is unavailable for long must not fill the memory. */
const maxPending = 100_000;
/** With the polls every half second, other processes count a decision within two seconds. */
const flushEveryMs = 700;
const observationsPerBlock = 5_000;

export function createTrafficSharing(parts: TrafficSharingParts): TrafficSharing {
  const { store, counts, self, now, monotonicMs, onDropped } = parts;
  const pending = createPendingQueue<Observation>(maxPending);
  let overflow = 0;
  const reader = createBlockReader(store, self, monotonicMs);

  /** Observations that are not written yet are erased here: the eraser could not find them. */
  const erasePending = (erased: readonly Observation[], what: Erasable, today: number): void => {
    const hashes = new Set(erased.map((seen) => textOf(seen[what])));
    const waiting = pending.take(pending.size()) ?? [];
    pending.putBack(
      waiting.map((seen) => {
        if (!hashes.has(textOf(seen[what]))) return seen;
        retractObservation(counts, seen, what, today);
        return withoutErased(seen, what);
      }),
    );
  };
  const apply = async ({ kind, body }: TrafficBlock, yieldWhenDue: YieldWhenDue): Promise<void> => {
    const today = bucketOf(now());
    const observations = decodeObservations(body);
    if (kind !== 'counts') erasePending(observations, kind, today);
    for (const seen of observations) {
      const turn = yieldWhenDue();
      if (turn !== null) await turn;
      if (kind !== 'counts') retractObservation(counts, seen, kind, today);
      else if (seen.bucket >= today - dayBuckets)
        addObservation(counts, { ...seen, bucket: Math.min(seen.bucket, today) }, today);
    }
  };
  return {
    buffer: createWriteBehind<readonly Observation[]>({
      name: 'traffic',
      pending,
      batchSize: observationsPerBlock,
      flushEveryMs,
      failure: 'traffic counts are not shared with other processes yet',
      async beforeFlush() {
        if (overflow > 0) onDropped(overflow, null);
        overflow = 0;
      },
      write: (batch) => store.add(self, 'counts', encodeObservations(batch), now()),
      onRejected: ({ length }, error) => onDropped(length, error),
    }),
    add(seen) {
      if (!pending.add(seen)) overflow += 1;
    },
    async poll() {
      const yieldWhenDue = createYielder();
      await reader.poll((block) => apply(block, yieldWhenDue));
    },
  };
}

function textOf({ hi, lo }: Hash): string {
  return `${hi},${lo}`;
}
