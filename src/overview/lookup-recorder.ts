import type { Owner } from '../http/endpoint.ts';
import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import { type HourOfLookups, type LookupCounts, mostRequested } from './lookup-counts.ts';
import type { LookupCountsStore, WrittenHour } from './lookup-counts-store.ts';

/** Domains of an owner that one flush writes. */
export const writtenDomains = 50;
/** Rows in one transaction, a few milliseconds of the embedded database. */
const rowsPerBatch = 300;

/** Writes counts of lookups behind the requests. */
export interface LookupRecorder {
  readonly buffer: WriteBehind;
  /** Writes every lookup that was counted for an owner before the call. */
  flushOwner(owner: Owner): Promise<void>;
}

export function createLookupRecorder(
  counts: Pick<LookupCounts, 'take' | 'takeOwner' | 'putBack' | 'size'>,
  store: Pick<LookupCountsStore, 'add'>,
  onRejected: (owners: number, error: unknown) => void,
): LookupRecorder {
  const buffer = createWriteBehind<readonly HourOfLookups[]>({
    name: 'lookup_counts',
    pending: {
      size: counts.size,
      take: (limit) => counts.take(limit, rowsPerBatch, writtenDomains),
      putBack: counts.putBack,
    },
    batchSize: rowsPerBatch,
    flushEveryMs: 2_000,
    // Writing then takes about one per cent of CPU time.
    delay: { perEntryMs: 2, maxMs: 20_000 },
    failure: 'counts of lookups are not written yet',
    write: (hours) => store.add(hours.map(toWritten)),
    onRejected: ({ length }, error) => onRejected(length, error),
  });
  return {
    buffer,
    flushOwner: (owner) => buffer.writeNow(counts.takeOwner(owner)),
  };
}

function toWritten({ domains, ...hour }: HourOfLookups): WrittenHour {
  return { ...hour, topDomains: mostRequested(domains, writtenDomains) };
}
