import type { Owner } from '../http/endpoint.ts';
import { createAttachment } from '../platform/attachment.ts';
import { hourMs } from '../platform/time/recent-span.ts';

/** The counts of one owner in one hour. */
export interface HourOfLookups {
  readonly owner: Owner;
  /** The start of the hour. */
  readonly hourMs: number;
  lookups: number;
  disposable: number;
  relay: number;
  /** Known to take no mail. */
  noMail: number;
  /** Whether they take mail is unknown. */
  unknown: number;
  /** The most lookups and decisions in one second. */
  peak: number;
  domains: Map<string, DomainCount>;
}

export interface DomainCount {
  lookups: number;
  /** The result of the last one; null for counts that were put back. */
  last: CountedLookup | null;
}

/** The counted part of a lookup's result. Equal results of a domain should be one object. */
export interface CountedLookup {
  readonly domain: string;
  readonly disposable: boolean;
  readonly relay: boolean;
  /** Null: unknown. */
  readonly takesMail: boolean | null;
}

/** Counts that are not written yet, by owner and hour. */
export interface LookupCounts {
  /**
   * Counts a lookup that was answered, towards the peak of its second too; false when the same lookup of this owner was counted
   * already since the last time that counts were taken.
   */
  add(owner: Owner, lookup: CountedLookup): boolean;
  /** Counts a decision towards the peak of its second. */
  tick(owner: Owner): void;
  /** Removes and returns the counts of at most `owners` owners and about `rows` rows: one for an owner's hour and one per domain, of which at most `domainsOfEach` count. */
  take(owners: number, rows: number, domainsOfEach: number): HourOfLookups[];
  takeOwner(owner: Owner): HourOfLookups[];
  /** Adds counts again that could not be written. */
  putBack(hours: readonly HourOfLookups[]): void;
  /** How many owners have unwritten counts. */
  size(): number;
}

/** Domains counted per owner until they are written; beyond it the rarer half is dropped. */
const maxDomains = 1_000;
/** The same over all owners; beyond it no new domain is added. */
const maxTotalDomains = 200_000;

interface Counting extends HourOfLookups {
  readonly key: string;
  /** Hours since 1970: small enough that the number is kept in the object, not beside it. */
  readonly hour: number;
  second: number;
  inSecond: number;
  /** Handed over, and empty: it is counted in again when something comes. */
  isTaken: boolean;
}

export function createLookupCounts(now: () => number): LookupCounts {
  const hours = new Map<string, Counting>();
  /** A caller is one object as long as its key is known: no text need be put together for every lookup. */
  const latest = createAttachment<Counting>();
  let domains = 0;

  /** Returns the counts that its owner and hour use from now on: itself, unless there are others already. */
  const open = (own: Counting): Counting => {
    const counting = hours.get(own.key) ?? own;
    counting.isTaken = false;
    hours.set(counting.key, counting);
    return counting;
  };
  const countingOf = (owner: Owner, atMs: number): Counting => {
    const last = latest.of(owner);
    const hour = Math.floor(atMs / hourMs);
    const isOfNow = last !== undefined && last.hour === hour;
    if (isOfNow && !last.isTaken) return last;
    // Entries are reused after a flush: new ones each time would be most of the work of garbage collections.
    const counting = open(isOfNow ? last : createCounting(owner, hour));
    latest.put(owner, counting);
    return counting;
  };
  const addDomain = (counting: Counting, domain: string, count: DomainCount): void => {
    if (counting.domains === noDomains) counting.domains = new Map();
    const into = counting.domains;
    if (into.size >= maxDomains) domains -= dropRarer(into);
    if (domains >= maxTotalDomains) return;
    domains += 1;
    into.set(domain, count);
  };
  /** Counts a lookup of a domain; false when its result is the same as the last one's. */
  const countDomain = (counting: Counting, lookup: CountedLookup): boolean => {
    const count = counting.domains.get(lookup.domain);
    if (count === undefined) {
      addDomain(counting, lookup.domain, { lookups: 1, last: lookup });
      return true;
    }
    count.lookups += 1;
    if (count.last === lookup) return false;
    count.last = lookup;
    return true;
  };
  const remove = (hour: Counting): Counting => {
    const taken = { ...hour };
    hours.delete(hour.key);
    domains -= hour.domains.size;
    Object.assign(hour, nothing);
    return taken;
  };
  return {
    add(owner, lookup) {
      const atMs = now();
      const counting = countingOf(owner, atMs);
      tickOf(counting, atMs);
      counting.lookups += 1;
      if (lookup.disposable) counting.disposable += 1;
      if (lookup.relay) counting.relay += 1;
      if (lookup.takesMail === false) counting.noMail += 1;
      if (lookup.takesMail === null) counting.unknown += 1;
      return countDomain(counting, lookup);
    },
    tick(owner) {
      const atMs = now();
      tickOf(countingOf(owner, atMs), atMs);
    },
    take(owners, maxRows, domainsOfEach) {
      const taken: Counting[] = [];
      let rows = 0;
      for (const hour of hours.values()) {
        if (taken.length === owners || rows >= maxRows) break;
        rows += 1 + Math.min(hour.domains.size, domainsOfEach);
        taken.push(remove(hour));
      }
      return taken;
    },
    takeOwner: (owner) =>
      Array.from(hours.values())
        .filter((hour) => isOf(owner, hour))
        .map(remove),
    putBack(taken) {
      for (const hour of taken) {
        const into = countingOf(hour.owner, hour.hourMs);
        for (const name of ['lookups', 'disposable', 'relay', 'noMail', 'unknown'] as const) into[name] += hour[name];
        into.peak = Math.max(into.peak, hour.peak);
        for (const [domain, { lookups }] of hour.domains) {
          const count = into.domains.get(domain);
          if (count === undefined) addDomain(into, domain, { lookups, last: null });
          else count.lookups += lookups;
        }
      }
    },
    size: () => hours.size,
  };
}

function tickOf(counting: Counting, atMs: number): void {
  const second = Math.floor(atMs / 1_000);
  counting.inSecond = second === counting.second ? counting.inSecond + 1 : 1;
  counting.second = second;
  counting.peak = Math.max(counting.peak, counting.inSecond);
}

function isOf({ accountId, environment }: Owner, { owner }: HourOfLookups): boolean {
  return owner.accountId === accountId && owner.environment === environment;
}

/** Shared by all entries without domains, and never changed. */
const noDomains = new Map<string, DomainCount>();
const nothing = {
  isTaken: true,
  second: -1,
  inSecond: 0,
  peak: 0,
  lookups: 0,
  disposable: 0,
  relay: 0,
  noMail: 0,
  unknown: 0,
  domains: noDomains,
};

function createCounting({ accountId, environment }: Owner, hour: number): Counting {
  const key = `${accountId} ${environment} ${hour}`;
  return { hour, ...nothing, key, owner: { accountId, environment }, hourMs: hour * hourMs };
}

/** The most requested domains, at most `max`. */
export function mostRequested(
  domains: ReadonlyMap<string, DomainCount>,
  max: number,
): [domain: string, count: number][] {
  const counts = Array.from(domains, ([domain, { lookups }]): [string, number] => [domain, lookups]);
  return counts.sort(([, one], [, other]) => other - one).slice(0, max);
}

/** Drops the rarer half; returns how many. */
function dropRarer(domains: Map<string, DomainCount>): number {
  const kept = new Set(mostRequested(domains, Math.floor(domains.size / 2)).map(([domain]) => domain));
  const before = domains.size;
  for (const domain of domains.keys()) if (!kept.has(domain)) domains.delete(domain);
  return before - domains.size;
}
