import type { Facts } from '../lookups/facts.ts';
import type { LookupResult } from '../lookups/lookup.ts';
import { createWarmReadings } from '../lookups/warm-readings.ts';
import { unknown } from '../reading.ts';
import type { DomainFacts, ListSource } from '../signals/sources.ts';
import type { Subject } from '../signals/subject.ts';

/** Looks up a subject in memory only. */
export function createListsLookup(
  lists: ListSource,
  rank: Facts['rank'],
  now: () => number,
): (subject: Subject) => LookupResult {
  const warm = createWarmReadings();
  return (subject) => {
    const { domain } = subject;
    const ranked = rank(domain);
    const facts = ranked === null ? offlineFacts : { ...offlineFacts, rank: ranked };
    const sources = { lists, facts, nowMs: now() };
    return { subject, readings: warm.readingsOf(domain, sources), sources, blocklisted: null };
  };
}

const offline = unknown('offline');

const offlineFacts: DomainFacts = {
  mx: offline,
  mxProviders: [],
  disposableMx: null,
  disposableMail: null,
  spf: offline,
  dmarc: offline,
  dnsbl: offline,
  registeredAtMs: offline,
  rank: null,
  // Without other facts, a missing rank alone means nothing.
  isRankingLoaded: false,
  ranking: { explain: () => [] },
};
