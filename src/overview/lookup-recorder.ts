import { AppError } from '../errors.ts';
import type { Owner } from '../http/endpoint.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import { type HourOfLookups, type LookupCounts, mostAsked } from './lookup-counts.ts';
import type { LookupCountsStore, WrittenHour } from './lookup-counts-store.ts';

/** Rows in one transaction, a few milliseconds of the embedded database; requests are served in between. */
const rowsAtOnce = 300;
/** Owners whose counts are taken at a time. */
const ownersAtOnce = 300;
/** Domains of an owner that are written at a time. */
const writtenDomains = 50;
/** The more owners wait, the longer they may, up to a bound: to write them takes about a hundredth of the processor's time. */
const waitOfOwnerMs = 2;
export const longestWaitMs = 20_000;

/** Whether what has been counted for so long is to be written now. */
export function isDue(counts: Pick<LookupCounts, 'size'>, waitedMs: number): boolean {
  return waitedMs >= Math.min(counts.size() * waitOfOwnerMs, longestWaitMs);
}

/** Writes what was counted, in slices; what the storage does not take now is kept for the next time. */
export interface LookupRecorder {
  writeAll(): Promise<void>;
  /** Afterwards everything that was counted for an owner so far is written, whoever wrote it. */
  writeOf(owner: Owner): Promise<void>;
}

export function createLookupRecorder(
  counts: Pick<LookupCounts, 'settle' | 'take' | 'giveBack' | 'size'>,
  store: Pick<LookupCountsStore, 'add'>,
): LookupRecorder {
  /** What they have taken is no longer among the counts, and not yet in the storage. */
  const underWay = new Set<Promise<void>>();

  const settle = async (): Promise<void> => {
    for (const _ of counts.settle()) await yieldToEventLoop();
  };
  const writeSlices = async (taken: readonly HourOfLookups[]): Promise<void> => {
    for (let start = 0, end = 0; start < taken.length; start = end) {
      if (start > 0) await yieldToEventLoop();
      end = endOfSlice(taken, start);
      try {
        await store.add(taken.slice(start, end).map(toWritten));
      } catch (error) {
        // A storage that is away comes back; anything else would fail again and hold up all that comes after.
        const isAway = error instanceof AppError && error.code === 'service_unavailable';
        counts.giveBack(taken.slice(isAway ? start : end));
        throw error;
      }
    }
  };
  const write = async (of: Owner | number): Promise<void> => {
    const writing = writeSlices(counts.take(of));
    underWay.add(writing);
    await writing.finally(() => underWay.delete(writing));
  };
  return {
    async writeAll() {
      await settle();
      for (let left = counts.size(); left > 0; left -= ownersAtOnce) {
        await write(ownersAtOnce);
        await yieldToEventLoop();
      }
    },
    async writeOf(owner) {
      await settle();
      // Whether the others succeed is for them to say.
      const others = Promise.allSettled(underWay);
      await write(owner);
      await others;
    },
  };
}

/** As many as make up the rows of a transaction, and one at least. */
function endOfSlice(hours: readonly HourOfLookups[], start: number): number {
  let end = start;
  for (let rows = 0; end < hours.length && rows < rowsAtOnce; end += 1) {
    rows += 1 + Math.min(hours[end]?.domains.size ?? 0, writtenDomains);
  }
  return end;
}

function toWritten({ domains, ...hour }: HourOfLookups): WrittenHour {
  return { ...hour, topDomains: mostAsked(domains, writtenDomains) };
}
