import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { type HourOfLookups, type LookupCounts, mostAsked } from './lookup-counts.ts';
import type { LookupCountsStore, WrittenHour } from './lookup-counts-store.ts';

/** Owners in one transaction; requests are served in between. */
const ownersAtOnce = 20;
/** Domains of an owner that are written at a time. */
const writtenDomains = 50;

/** Writes what was counted, in slices; what the storage does not take now is kept for the next time. */
export async function writeLookupCounts(
  counts: Pick<LookupCounts, 'take' | 'giveBack'>,
  store: Pick<LookupCountsStore, 'add'>,
): Promise<void> {
  const taken = counts.take();
  for (let start = 0; start < taken.length; start += ownersAtOnce) {
    if (start > 0) await nextTurn();
    try {
      await store.add(taken.slice(start, start + ownersAtOnce).map(toWritten));
    } catch (error) {
      // A storage that is away comes back; anything else would fail again and hold up all that comes after.
      const isAway = error instanceof AppError && error.code === 'service_unavailable';
      counts.giveBack(taken.slice(isAway ? start : start + ownersAtOnce));
      throw error;
    }
  }
}

function toWritten({ domains, ...hour }: HourOfLookups): WrittenHour {
  return { ...hour, topDomains: mostAsked(domains, writtenDomains) };
}
