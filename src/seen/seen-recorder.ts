import { reversedName } from '../address/reversed-name.ts';
import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import type { DaysRow, SeenStore } from './seen-store.ts';
import type { Sighting, Sightings } from './sightings.ts';

/** Writes sightings behind the requests; a kill -9 loses those of at most two seconds. */
export function createSeenBuffer(
  sightings: Pick<Sightings, 'pending'>,
  store: Pick<SeenStore, 'add'>,
  onRejected: (domains: number, error: unknown) => void,
): WriteBehind {
  return createWriteBehind<readonly Sighting[]>({
    name: 'seen_domains',
    pending: sightings.pending,
    // A millisecond or two of the embedded database.
    batchSize: 200,
    flushEveryMs: 2_000,
    failure: 'seen domains are not written yet',
    write: (batch) => store.add(batch.map(toRow)),
    onRejected: ({ length }, error) => onRejected(length, error),
  });
}

function toRow({ owner, domain, day, flagged }: Sighting): DaysRow {
  return { day, name: reversedName(domain), account_id: owner.accountId, environment: owner.environment, flagged };
}
