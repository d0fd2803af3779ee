import { createPendingQueue } from '../../platform/pending-entries.ts';
import { createWriteBehind, type WriteBehind } from '../../platform/write-behind.ts';
import type { FlagKind } from '../flag-kinds.ts';
import { dayMs } from '../sightings.ts';
import type { FlaggingStore, Suspect } from './flagging-store.ts';

/** Domains that something other than a list flagged. */
export interface Suspects {
  readonly buffer: WriteBehind;
  /** Adds a domain unless it was added today. */
  add(domain: string, kind: FlagKind): void;
}

/** Further domains are not added that day; a domain that is looked up again later is found again. */
const maxPerDay = 20_000;

export function createSuspects(store: Pick<FlaggingStore, 'addSuspects'>, now: () => number): Suspects {
  let today = 0;
  let added = new Set<string>();
  const pending = createPendingQueue<Suspect>();
  return {
    buffer: createWriteBehind<readonly Suspect[]>({
      name: 'suspects',
      pending,
      batchSize: 200,
      flushEveryMs: 1_000,
      failure: 'domains to verify are not written yet',
      write: store.addSuspects,
    }),
    add(domain, kind) {
      const notedAtMs = now();
      const day = Math.floor(notedAtMs / dayMs);
      if (day !== today) added = new Set();
      today = day;
      const key = `${kind} ${domain}`;
      if (added.has(key) || added.size >= maxPerDay) return;
      added.add(key);
      pending.add({ domain, kind, notedAtMs });
    },
  };
}
