import { parseDomain } from '../address/domain.ts';
import { reversedName } from '../address/reversed-name.ts';
import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import type { FirstSeenStore, SeenOn } from './first-seen-store.ts';
import type { DaysRow, SeenStore } from './seen-store.ts';
import type { Sighting, Sightings } from './sightings.ts';

/** Writes sightings behind the requests; a kill -9 loses those of at most two seconds. */
export function createSeenBuffer(
  sightings: Pick<Sightings, 'pending'>,
  store: Pick<SeenStore, 'add'>,
  firstSeen: Pick<FirstSeenStore, 'add'>,
  onRejected: (domains: number, error: unknown) => void,
): WriteBehind {
  return createWriteBehind<readonly Sighting[]>({
    name: 'seen_domains',
    pending: sightings.pending,
    // A millisecond or two of the embedded database.
    batchSize: 200,
    flushEveryMs: 2_000,
    failure: 'seen domains are not written yet',
    async write(batch) {
      await store.add(batch.map(toRow));
      for (const ofDay of Map.groupBy(batch, ({ day }) => day).values()) await firstSeen.add(seenOn(ofDay));
    },
    onRejected: ({ length }, error) => onRejected(length, error),
  });
}

/** The same for days and networks of sign-ups. */
export function createSignUpBuffer(
  sightings: Pick<Sightings, 'pending'>,
  firstSeen: Pick<FirstSeenStore, 'add'>,
  onRejected: (domains: number, error: unknown) => void,
): WriteBehind {
  return createWriteBehind<readonly Sighting[]>({
    name: 'sign_up_days',
    pending: sightings.pending,
    batchSize: 200,
    flushEveryMs: 2_000,
    failure: 'days of sign-ups are not written yet',
    async write(batch) {
      for (const ofDay of Map.groupBy(batch, ({ day }) => day).values())
        await firstSeen.add(ofDay.map(({ owner, domain, day }) => ({ owner, registrable: domain, day })));
    },
    onRejected: ({ length }, error) => onRejected(length, error),
  });
}

/** One of each environment and registrable domain. */
function seenOn(sightings: readonly Sighting[]): SeenOn[] {
  const seen = new Map<string, SeenOn>();
  for (const { owner, domain, day } of sightings) {
    const registrable = parseDomain(domain)?.registrable ?? domain;
    seen.set(`${owner.accountId}/${owner.environment}/${registrable}`, { owner, registrable, day });
  }
  return [...seen.values()];
}

function toRow({ owner, domain, day, flagged }: Sighting): DaysRow {
  return { day, name: reversedName(domain), account_id: owner.accountId, environment: owner.environment, flagged };
}
