import type { Facts } from '../lookups/facts.ts';
import type { LookupResult } from '../lookups/lookup.ts';
import { createWarmReadings } from '../lookups/warm-readings.ts';
import { unknown } from '../reading.ts';
import type { DomainFacts, ListSource } from '../signals/sources.ts';
import type { Subject } from '../signals/subject.ts';

/** How many domains are kept with what was read of them. */
const mostDomains = 50_000;

/** Looks a subject up in memory alone. */
export function createListsLookup(
  lists: ListSource,
  rank: Facts['rank'],
  now: () => number,
): (subject: Subject) => LookupResult {
  const warm = createWarmReadings(mostDomains);
  return (subject) => {
    const { domain } = subject;
    const ranked = rank(domain);
    const facts = ranked === null ? notAsked : { ...notAsked, rank: ranked };
    const sources = { lists, facts, nowMs: now() };
    return { subject, readings: warm.readingsOf(domain, sources), sources, blocklisted: null };
  };
}

const offline = unknown('offline');

const notAsked: DomainFacts = {
  mx: offline,
  mxProviders: [],
  disposableMx: null,
  disposableMail: null,
  spf: offline,
  dmarc: offline,
  dnsbl: offline,
  registeredAtMs: offline,
  rank: null,
  // Where nothing else is known, not being ranked alone says nothing of a domain.
  isRankingLoaded: false,
  ranking: { explain: () => [] },
};
