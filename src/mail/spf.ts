import type { Domain } from '../address/domain.ts';
import type { Deadline } from '../platform/deadline.ts';
import { detachedCopy } from '../platform/detached-copy.ts';
import { known, type Reading } from '../reading.ts';
import { type DnsFailure, unknownFromDns } from './dns-failure.ts';
import type { DnsAnswer, DnsSource } from './dns-source.ts';
import { expandDomainSpec, isQueryable, needsPtrLookup } from './spf-macro.ts';
import { isSpfRecord, parseSpf, type SpfMechanism, type SpfRecord } from './spf-record.ts';

/** The policy of an SPF record for hosts that it does not name. */
export type Spf = 'strict' | 'relaxed' | 'neutral' | 'permissive' | 'missing' | 'invalid';

const strengthOf = { '-': 'strict', '~': 'relaxed', '?': 'neutral', '+': 'permissive' } as const;

// RFC 7208 section 4.6.4.
const maxLookups = 10;
const maxVoids = 2;
const maxMxHosts = 10;
/** Anyone can publish such a record, so quotes from it are cut. */
const maxDetail = 300;
const lookupKinds: ReadonlySet<string> = new Set(['include', 'a', 'mx', 'ptr', 'exists']);

/** The state of one assessment: every record of the tree adds to the same counters. */
interface Assessment {
  readonly sender: string;
  readonly dns: DnsSource;
  readonly deadline: Deadline;
  readonly addressTerms: AddressTerm[];
  lookups: number;
  voids: number;
  /** The first definite fault; terms that could not be resolved do not change the verdict then. */
  fault: string | null;
  failure: DnsFailure | null;
}

/**
 * Assesses the SPF record of a domain by RFC 7208. There is no sender, so the whole tree of includes is counted as for a
 * sender that no mechanism matches; a name that depends on the sender counts as a lookup and cannot be asked for.
 */
export async function readSpf(domain: Domain, dns: DnsSource, deadline: Deadline): Promise<Reading<Spf>> {
  const sender = domain.ascii;
  const state: Assessment = {
    ...{ sender, dns, deadline, addressTerms: [] },
    ...{ lookups: 0, voids: 0, fault: null, failure: null },
  };
  const verdict = await assess(sender, [], state);
  if (state.fault === null && state.failure === null) await checkVoids(state);
  const { fault, failure, lookups } = state;
  if (fault !== null) return reasoned('invalid', fault);
  if (failure !== null) return unknownFromDns(failure);
  const value = verdict ?? 'neutral';
  return reasoned(value, `SPF of ${sender}: ${value}, ${lookups} lookups`);
}

/** Only the line stays in memory: evidence made where the records are in reach would keep them. */
function reasoned(value: Spf, text: string): Reading<Spf> {
  const detail = detachedCopy(text, maxDetail);
  return known(value, () => [{ source: 'dns', detail }]);
}

/** The verdict of the record at a name; null when a fault or a failure was noted, or when it depends on the sender. */
async function assess(name: string, path: readonly string[], state: Assessment): Promise<Spf | null> {
  const answer = await state.dns.txt(name, state.deadline);
  if (answer.kind === 'failed') return recordFailure(state, answer.reason);
  const [text, second] = answer.kind === 'records' ? answer.records.filter(isSpfRecord) : [];
  if (text === undefined) return 'missing';
  if (second !== undefined) return noteFault(state, `${name} has two SPF records (RFC 7208 section 4.5)`);
  const parsed = parseSpf(text);
  if ('error' in parsed) return noteFault(state, `${name}: syntax error at "${parsed.error}" (RFC 7208 section 4.6)`);
  return assessRecord(parsed.record, name, [...path, name], state);
}

async function assessRecord(
  record: SpfRecord,
  name: string,
  path: readonly string[],
  state: Assessment,
): Promise<Spf | null> {
  // Section 5.1: mechanisms after `all` are never tested, and `redirect` is ignored beside it.
  const end = record.mechanisms.findIndex((mechanism) => mechanism.kind === 'all');
  const all = record.mechanisms[end];
  const reached = all === undefined ? record.mechanisms : record.mechanisms.slice(0, end);
  const redirect = all === undefined ? record.redirect : null;
  for (const mechanism of reached) {
    if (lookupKinds.has(mechanism.kind)) state.lookups += costOf(mechanism.spec);
  }
  if (redirect !== null) state.lookups += costOf(redirect);
  if (state.lookups > maxLookups) return noteFault(state, 'more than 10 DNS lookups (RFC 7208 section 4.6.4)');
  const [redirected] = await Promise.all([
    redirect === null ? null : enter({ term: 'redirect', spec: redirect }, name, path, state),
    ...reached.map((mechanism) => follow(mechanism, name, path, state)),
  ]);
  if (all !== undefined) return strengthOf[all.qualifier];
  return redirect === null ? 'neutral' : redirected;
}

function costOf(spec: string | null): number {
  return spec !== null && needsPtrLookup(spec) ? 2 : 1;
}

async function follow(
  { kind, spec }: SpfMechanism,
  name: string,
  path: readonly string[],
  state: Assessment,
): Promise<null> {
  if (kind === 'include' && spec !== null) {
    await enter({ term: 'include', spec }, name, path, state);
    return null;
  }
  const target = spec === null ? name : expandDomainSpec(spec, { domain: name, sender: state.sender });
  if (target === null || !isQueryable(target)) return null;
  if (kind === 'mx') await countMxHosts(target, state);
  if (kind === 'a' || kind === 'exists') state.addressTerms.push({ kind, name: target });
  return null;
}

/** Continues with the record of an `include` or a `redirect`; nothing there is a fault (RFC 7208 sections 5.2 and 6.1). */
async function enter(
  { term, spec }: { readonly term: 'include' | 'redirect'; readonly spec: string },
  name: string,
  path: readonly string[],
  state: Assessment,
): Promise<Spf | null> {
  const target = expandDomainSpec(spec, { domain: name, sender: state.sender });
  if (target === null) return null;
  if (!isQueryable(target)) return noteFault(state, `${term} of ${target}, which is not a domain name`);
  if (path.includes(target)) return noteFault(state, `${term} of ${target} is a loop`);
  const verdict = await assess(target, path, state);
  if (verdict === 'missing') return noteFault(state, `${term} of ${target}, which has no SPF record`);
  return verdict;
}

async function countMxHosts(name: string, state: Assessment): Promise<void> {
  const answer = await state.dns.mx(name, state.deadline);
  if (answer.kind === 'failed') recordFailure(state, answer.reason);
  else if (answer.kind === 'none') noteVoids(state, 1);
  else if (answer.records.length > maxMxHosts) noteFault(state, `${name} has more than 10 MX hosts`);
}

/** Address questions are only asked when their answers could exceed the limit of void lookups. */
async function checkVoids(state: Assessment): Promise<void> {
  if (state.voids + state.addressTerms.length <= maxVoids) return;
  const { voids, failures } = await countVoids(state.addressTerms, state.dns, state.deadline);
  noteVoids(state, voids);
  const [failure] = failures;
  if (failure !== undefined && state.voids + failures.length > maxVoids) recordFailure(state, failure);
}

function noteVoids(state: Assessment, count: number): void {
  state.voids += count;
  if (state.voids > maxVoids) noteFault(state, 'more than 2 void lookups (RFC 7208 section 4.6.4)');
}

function noteFault(state: Assessment, detail: string): null {
  state.fault ??= detail;
  return null;
}

function recordFailure(state: Assessment, reason: DnsFailure): null {
  state.failure ??= reason;
  return null;
}

/** A term of an SPF tree that asks for addresses of a name. */
interface AddressTerm {
  readonly kind: 'a' | 'exists';
  readonly name: string;
}

/** How many terms found nothing, and why others could not be resolved. */
interface VoidCount {
  readonly voids: number;
  readonly failures: readonly DnsFailure[];
}

/** Counts the void lookups among address terms (RFC 7208 section 4.6.4): questions answered with no record. */
async function countVoids(terms: readonly AddressTerm[], dns: DnsSource, deadline: Deadline): Promise<VoidCount> {
  const answers = await Promise.all(terms.map((term) => askAddress(term, dns, deadline)));
  return {
    voids: answers.filter((answer) => answer.kind === 'none').length,
    failures: answers.flatMap((answer) => (answer.kind === 'failed' ? [answer.reason] : [])),
  };
}

/**
 * `a` asks for the address family of the sender (section 5.3). There is none, so the term is void only when it is void
 * for every sender. `exists` always asks for A (section 5.7).
 */
async function askAddress(term: AddressTerm, dns: DnsSource, deadline: Deadline): Promise<DnsAnswer<string>> {
  const answer = await dns.a(term.name, deadline);
  if (term.kind === 'exists' || answer.kind !== 'none' || answer.missing === 'name') return answer;
  return dns.aaaa(term.name, deadline);
}
