import type { Environment, Owner } from '../http/endpoint.ts';
import { createAttachment } from '../platform/attachment.ts';
import { detachedCopy } from '../platform/detached-copy.ts';
import { createPendingQueue } from '../platform/pending-entries.ts';
import type { PendingEntries } from '../platform/write-behind.ts';

/** That an environment saw a domain on a day. */
export interface Sighting {
  readonly owner: Owner;
  readonly domain: string;
  /** Days since 1970, UTC. */
  readonly day: number;
  /** The domain's flags at its first sighting on that day; bits of `flagBits`. */
  readonly flagged: number;
}

/** The sightings that are not written yet, and the domains that need not be written again today. */
export interface Sightings {
  /** Notes that a domain was seen; whether it is news: new today, or flagged as something it was not before. */
  note(owner: Owner, domain: string, flagged: number, nowMs: number): boolean;
  /** Sightings that are not written yet. */
  readonly pending: PendingEntries<readonly Sighting[]>;
  /** Notes every domain again when it is next seen. */
  forgetAll(): void;
  /** How many domains are known to have been seen today. */
  size(): number;
}

/** How much may be kept in memory, and noted. */
export interface SightingLimits {
  /** Storage that is unavailable for long must not fill the memory. */
  readonly pending: number;
  /** Domains of all environments that are known to be written; beyond it all are forgotten, and written once more. */
  readonly known: number;
  /** Domains of one environment on one day: a client that invents names must not fill the disk. */
  readonly perDay: number;
}

export const dayMs = 86_400_000;

const usualLimits: SightingLimits = { pending: 100_000, known: 200_000, perDay: 100_000 };

/** One environment's domains of today. */
interface Noted {
  readonly owner: Owner;
  readonly day: number;
  /** The flags of each domain today. */
  readonly flagged: Map<string, number>;
  count: number;
}

/** By environment and account. */
const noNotes = (): Record<Environment, Map<string, Noted>> => ({
  production: new Map(),
  staging: new Map(),
  development: new Map(),
});

export function createSightings(limits: SightingLimits = usualLimits): Sightings {
  let today = 0;
  let noted = noNotes();
  let known = 0;
  const pending = createPendingQueue<Sighting>(limits.pending);

  const pinned = createAttachment<Noted>();
  const search = (owner: Owner): Noted => {
    const { accountId, environment } = owner;
    const ofAccounts = noted[environment];
    let ofOwner = ofAccounts.get(accountId);
    if (ofOwner === undefined) {
      ofOwner = { owner: { accountId, environment }, day: today, flagged: new Map(), count: 0 };
      ofAccounts.set(accountId, ofOwner);
    }
    pinned.put(owner, ofOwner);
    return ofOwner;
  };
  const notedBy = (owner: Owner): Noted => {
    const last = pinned.of(owner);
    return last?.day === today ? last : search(owner);
  };
  const forget = (): void => {
    for (const ofAccounts of Object.values(noted)) for (const { flagged } of ofAccounts.values()) flagged.clear();
    known = 0;
  };
  const add = (ofOwner: Noted, domain: string, flagged: number): boolean => {
    if (ofOwner.count >= limits.perDay || pending.size() >= limits.pending) return false;
    if (known >= limits.known) forget();
    const kept = detachedCopy(domain);
    ofOwner.flagged.set(kept, flagged);
    ofOwner.count += 1;
    known += 1;
    pending.add({ owner: ofOwner.owner, domain: kept, day: today, flagged });
    return true;
  };
  return {
    note(owner, domain, flagged, nowMs) {
      const day = Math.floor(nowMs / dayMs);
      if (day !== today) {
        forget();
        today = day;
        noted = noNotes();
      }
      const ofOwner = notedBy(owner);
      const before = ofOwner.flagged.get(domain);
      if (before === undefined) return add(ofOwner, domain, flagged);
      if ((flagged & ~before) === 0) return false;
      ofOwner.flagged.set(domain, flagged | before);
      return true;
    },
    pending,
    forgetAll: forget,
    size: () => known,
  };
}
