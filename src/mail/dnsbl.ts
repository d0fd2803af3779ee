import type { Domain } from '../address/domain.ts';
import type { Deadline } from '../platform/deadline.ts';
import { known, type Reading, unknown } from '../reading.ts';
import { type DnsFailure, unknownFromDns } from './dns-failure.ts';
import type { DnsSource } from './dns-source.ts';

/** Domain blocklist zones and the results of their self-tests. */
export interface DnsblZones {
  readonly names: readonly string[];
  readonly now: () => number;
  readonly tests: Map<string, { readonly trusted: boolean; readonly atMs: number }>;
}

type Failed = { readonly kind: 'failed'; readonly reason: DnsFailure };
/** `error` is an answer that means something other than a listing. */
type Listing = { readonly kind: 'listed' | 'clear' | 'error' } | Failed;
type Trust = { readonly kind: 'trusted' } | { readonly kind: 'distrusted' } | Failed;
type ZoneAnswer = { readonly zone: string; readonly listing: Listing | { readonly kind: 'distrusted' } };

const selfTestLifeMs = 60 * 60 * 1000;

/** Prepares the operator's zones; they are tested when first needed. */
export function createDnsblZones(names: readonly string[], now: () => number): DnsblZones {
  return { names, now, tests: new Map() };
}

/**
 * Whether a domain, or the registrable domain it belongs to, is listed in one of the zones. What one of them says counts;
 * while none says anything it is unknown, and without zones there is nothing to know.
 */
export async function readDnsbl(
  domain: Domain,
  zones: DnsblZones,
  dns: DnsSource,
  deadline: Deadline,
): Promise<Reading<boolean>> {
  const subjects = [...new Set([domain.ascii, domain.registrable ?? domain.ascii])];
  const answers = await Promise.all(
    zones.names.map(async (zone): Promise<ZoneAnswer> => {
      const trust = await selfTest(zone, zones, dns, deadline);
      return { zone, listing: trust.kind === 'trusted' ? await askZone(subjects, zone, dns, deadline) : trust };
    }),
  );
  const listed = answers.filter(({ listing }) => listing.kind === 'listed');
  if (listed.length > 0) return known(true, () => listed.map(({ zone }) => ({ source: zone, detail: 'listed' })));
  if (answers.some(({ listing }) => listing.kind === 'clear')) return known(false);
  if (answers.length === 0) return unknown('not_applicable');
  const failure = answers.map(({ listing }) => listing).find((listing) => listing.kind === 'failed');
  return failure === undefined ? unknown('failed') : unknownFromDns(failure.reason);
}

async function askZone(
  subjects: readonly string[],
  zone: string,
  dns: DnsSource,
  deadline: Deadline,
): Promise<Listing> {
  const listings = await Promise.all(subjects.map((name) => ask(`${name}.${zone}`, dns, deadline)));
  const decisive =
    listings.find((listing) => listing.kind === 'listed') ?? listings.find((listing) => listing.kind !== 'clear');
  return decisive ?? { kind: 'clear' };
}

/** RFC 5782 section 5: a zone of domains lists `test` and does not list `invalid`; one that does otherwise is broken. */
async function selfTest(zone: string, { tests, now }: DnsblZones, dns: DnsSource, deadline: Deadline): Promise<Trust> {
  const earlier = tests.get(zone);
  const age = earlier === undefined ? Number.NaN : now() - earlier.atMs;
  // A clock that went back makes the age negative: test again.
  if (earlier !== undefined && age >= 0 && age < selfTestLifeMs) {
    return { kind: earlier.trusted ? 'trusted' : 'distrusted' };
  }
  const [present, absent] = await Promise.all([
    ask(`test.${zone}`, dns, deadline),
    ask(`invalid.${zone}`, dns, deadline),
  ]);
  // A question without an answer says nothing about the zone, so it is not remembered.
  if (present.kind === 'failed') return present;
  if (absent.kind === 'failed') return absent;
  const trusted = present.kind === 'listed' && absent.kind === 'clear';
  tests.set(zone, { trusted, atMs: now() });
  return { kind: trusted ? 'trusted' : 'distrusted' };
}

async function ask(name: string, dns: DnsSource, deadline: Deadline): Promise<Listing> {
  // A name that does not fit into the zone cannot be listed in it.
  if (name.length > 253) return { kind: 'clear' };
  const answer = await dns.a(name, deadline);
  if (answer.kind === 'failed') return answer;
  if (answer.kind === 'none') return { kind: 'clear' };
  return answer.records.every(isListing) ? { kind: 'listed' } : { kind: 'error' };
}

/**
 * Listings are in 127.0.0.0/8 (RFC 5782 section 2.1). 127.255.255.x and 127.0.1.255 are error codes, 127.0.0.1 is how some
 * zones refuse a resolver, and anything outside 127/8 is a resolver that rewrites answers: none of them is a listing.
 */
function isListing(address: string): boolean {
  return address.startsWith('127.') && !address.startsWith('127.255.255.') && !errorCodes.has(address);
}

const errorCodes: ReadonlySet<string> = new Set(['127.0.0.1', '127.0.1.255']);
