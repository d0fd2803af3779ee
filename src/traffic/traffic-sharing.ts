import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import { createYielder, type YieldWhenDue } from '../platform/yielding.ts';
import { createBlockReader } from './block-reader.ts';
import type { Hash } from './keyed-hash.ts';
import { addObservation, type Erasable, eraseFrom, retractObservation } from './observation.ts';
import { ObservationBlock, word, wordsEach } from './observation-block.ts';
import type { TrafficCounts } from './traffic-counts.ts';
import type { TrafficBlock, TrafficStore } from './traffic-store.ts';
import { bucketOf, dayBuckets } from './windows.ts';

/** Shares the counts of processes, and keeps them for the next start. */
export interface TrafficSharing {
  readonly buffer: WriteBehind;
  /** The block for one observation, which other processes count too. */
  openBlock(): ObservationBlock;
  /** Counts the new blocks of other processes, and of those before this one. */
  poll(): Promise<void>;
}

export interface TrafficSharingParts {
  readonly store: TrafficStore;
  readonly counts: TrafficCounts;
  /** The name of this process. */
  readonly self: string;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  /** Observations that are not shared: storage rejected them, or (error null) the buffer was full. */
  onDropped(observations: number, error: unknown): void;
}

/** About 9 MB; storage that is unavailable for long must not fill the memory. */
const maxPending = 100_000;
/** With the poll for changes, other processes count a decision within two seconds. */
const flushEveryMs = 700;
const observationsPerBlock = 5_000;

export function createTrafficSharing(parts: TrafficSharingParts): TrafficSharing {
  const { store, counts, self, now, monotonicMs, onDropped } = parts;
  let open = new ObservationBlock();
  /** Full blocks, and blocks that storage did not accept, oldest first. */
  const closed: ObservationBlock[] = [];
  /** The block that is being written, and whether something was erased from it meanwhile. */
  let writing: ObservationBlock | null = null;
  let isErasedMeanwhile = false;
  let waiting = 0;
  let overflow = 0;
  const reader = createBlockReader(store, self, monotonicMs);

  const takeOpen = (): ObservationBlock => {
    const taken = open;
    open = new ObservationBlock();
    return taken;
  };
  /** Observations that are not written yet are erased here: the eraser could not find them. */
  const erasePending = (erased: ObservationBlock, what: Erasable, today: number): void => {
    const hashes = new Set<string>();
    for (let place = 0; place < erased.end; place += wordsEach) hashes.add(textOf(erased.hash(place + word[what])));
    for (const block of [...closed, open, ...(writing ? [writing] : [])]) {
      for (let place = 0; place < block.end; place += wordsEach) {
        if (!hashes.has(textOf(block.hash(place + word[what])))) continue;
        retractObservation(counts, block, place, what, today);
        eraseFrom(block, place, what);
        if (block === writing) isErasedMeanwhile = true;
      }
    }
  };
  const write = async (block: ObservationBlock): Promise<void> => {
    writing = block;
    isErasedMeanwhile = false;
    try {
      const no = await store.add(self, 'counts', block.encode(), now());
      if (isErasedMeanwhile) await store.rewrite(no, () => ({ body: block.encode() }));
    } finally {
      writing = null;
    }
  };
  const apply = async ({ kind, body }: TrafficBlock, yieldWhenDue: YieldWhenDue): Promise<void> => {
    const today = bucketOf(now());
    const block = ObservationBlock.decode(body);
    if (kind !== 'counts') erasePending(block, kind, today);
    for (let place = 0; place < block.end; place += wordsEach) {
      const turn = yieldWhenDue();
      if (turn !== null) await turn;
      if (kind !== 'counts') retractObservation(counts, block, place, kind, today);
      else if (block.get(place + word.bucket) >= today - dayBuckets) addObservation(counts, block, place, today);
    }
  };
  return {
    buffer: createWriteBehind<ObservationBlock>({
      name: 'traffic',
      pending: {
        size: () => waiting,
        take() {
          const block = closed.shift() ?? takeOpen();
          waiting -= block.length;
          return block;
        },
        putBack(block) {
          waiting += block.length;
          closed.unshift(block);
        },
      },
      batchSize: observationsPerBlock,
      flushEveryMs,
      failure: 'could not share traffic counts with other processes; retrying',
      async beforeFlush() {
        if (overflow > 0) onDropped(overflow, null);
        overflow = 0;
      },
      write,
      onRejected: ({ length }, error) => onDropped(length, error),
    }),
    openBlock() {
      if (waiting >= maxPending) {
        overflow += 1;
        return new ObservationBlock();
      }
      if (open.length >= observationsPerBlock) closed.push(takeOpen());
      waiting += 1;
      return open;
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
