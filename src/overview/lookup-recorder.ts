import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { type HourOfLookups, type LookupCounts, mostAsked } from './lookup-counts.ts';
import type { LookupCountsStore, WrittenHour } from './lookup-counts-store.ts';

/** Rows in one transaction, a few milliseconds of the embedded database; requests are served in between. */
const rowsAtOnce = 200;
/** Domains of an owner that are written at a time. */
const writtenDomains = 50;

/** Writes what was counted, in slices; what the storage does not take now is kept for the next time. */
export async function writeLookupCounts(
  counts: Pick<LookupCounts, 'take' | 'giveBack'>,
  store: Pick<LookupCountsStore, 'add'>,
): Promise<void> {
  const taken = counts.take();
  for (let start = 0, end = 0; start < taken.length; start = end) {
    if (start > 0) await nextTurn();
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
