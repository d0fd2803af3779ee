import type { Domain } from '../address/domain.ts';
import type { Deadline } from '../platform/deadline.ts';
import { known, type Reading } from '../reading.ts';
import { type DmarcPolicies, type DmarcPolicy, type DmarcRecord, isDmarcRecord, parseDmarc } from './dmarc-record.ts';
import { type DnsFailure, unknownFromDns } from './dns-failure.ts';
import type { DnsSource } from './dns-source.ts';

/** The DMARC policy that applies to a domain. */
export type Dmarc = DmarcPolicy | 'missing' | 'invalid';

/** The content of `_dmarc.<name>`; `spoilt` is two records, or one whose tag list is broken. */
type Found =
  | { readonly kind: 'record'; readonly name: string; readonly record: DmarcRecord }
  | { readonly kind: 'spoilt'; readonly name: string }
  | { readonly kind: 'nothing'; readonly name: string }
  | { readonly kind: 'failed'; readonly name: string; readonly reason: DnsFailure };

type FoundRecord = Extract<Found, { kind: 'record' }>;

/**
 * The published policy for mail from a domain, discovered by RFC 9989 section 4.10.1: the domain's own record, else that
 * of its Organizational Domain, else that of the public suffix domain above it. Test mode (`t=y`, `pct`) does not lower it.
 */
export async function readDmarc(domain: Domain, dns: DnsSource, deadline: Deadline): Promise<Reading<Dmarc>> {
  const own = await fetchRecord(domain.ascii, dns, deadline);
  if (own.kind === 'failed') return unknownFromDns(own.reason);
  // The service calls a spoilt record invalid where a mail receiver would continue as if there were none.
  if (own.kind === 'spoilt') return verdict('invalid', own.name);
  if (own.kind === 'record') return verdict(own.record.policy?.p ?? 'invalid', own.name);

  const walked = await walkUp(domain.ascii, dns, deadline);
  const failed = walked.find((found) => found.kind === 'failed');
  if (failed !== undefined) return unknownFromDns(failed.reason);
  const applied = organizationalRecord(domain.ascii, walked);
  if (applied === null) {
    const spoilt = walked.find((found) => found.kind === 'spoilt');
    return spoilt === undefined ? verdict('missing', domain.ascii) : verdict('invalid', spoilt.name);
  }
  const { policy } = applied.record;
  if (policy === null) return verdict('invalid', applied.name);
  return inheritedPolicy({ ...policy, from: applied.name }, domain, dns, deadline);
}

function verdict(value: Dmarc, name: string): Reading<Dmarc> {
  const detail = value === 'missing' ? `no DMARC record at or above ${name}` : `_dmarc.${name}: ${value}`;
  return known(value, () => [{ source: 'dns', detail, entry: name }]);
}

/** RFC 9989 section 4.10 steps 1 and 2: records of another version do not count, several make none of them count. */
async function fetchRecord(name: string, dns: DnsSource, deadline: Deadline): Promise<Found> {
  const question = `_dmarc.${name}`;
  // RFC 1035 section 2.3.4: no longer name can exist.
  if (question.length > 253) return { kind: 'nothing', name };
  const answer = await dns.txt(question, deadline);
  if (answer.kind === 'failed') return { kind: 'failed', name, reason: answer.reason };
  const [text, second] = answer.kind === 'records' ? answer.records.filter(isDmarcRecord) : [];
  if (text === undefined) return { kind: 'nothing', name };
  const record = second === undefined ? parseDmarc(text) : null;
  return record === null ? { kind: 'spoilt', name } : { kind: 'record', name, record };
}

/**
 * The tree walk above a domain without its own record, longest name first, up to the record that ends it. All names
 * are queried concurrently, to stay within the deadline; there are at most seven (RFC 9989 section 4.10 steps 3 to 7).
 */
async function walkUp(domain: string, dns: DnsSource, deadline: Deadline): Promise<Found[]> {
  const labels = domain.split('.');
  const names: string[] = [];
  // Eight labels or more jump to seven.
  for (let count = Math.min(labels.length - 1, 7); count > 0; count -= 1) names.push(labels.slice(-count).join('.'));
  const found = await Promise.all(names.map((name) => fetchRecord(name, dns, deadline)));
  const end = found.findIndex((entry) => entry.kind === 'record' && entry.record.psd !== 'u');
  return end < 0 ? found : found.slice(0, end + 1);
}

/** The record of the Organizational Domain (RFC 9989 section 4.10.2), else of the public suffix domain above it. */
function organizationalRecord(domain: string, walked: readonly Found[]): FoundRecord | null {
  const records = walked.filter((found) => found.kind === 'record');
  const last = records.at(-1);
  if (last === undefined) return null;
  // `psd=n` marks the Organizational Domain; without a mark it is the one with the fewest labels. Both are the last.
  if (last.record.psd !== 'y') return last;
  // `psd=y`: the Organizational Domain is one label below.
  const labels = domain.split('.');
  const organizational = labels.slice(-(last.name.split('.').length + 1)).join('.');
  return records.find((found) => found.name === organizational) ?? last;
}

/**
 * `sp` for a subdomain that exists, `np` for one that does not: a name exists unless the DNS says NXDOMAIN (RFC 9989
 * section 3.2.13). The TXT question is the one SPF asks too, so it costs nothing.
 */
async function inheritedPolicy(
  { sp, np, from }: DmarcPolicies & { readonly from: string },
  domain: Domain,
  dns: DnsSource,
  deadline: Deadline,
): Promise<Reading<Dmarc>> {
  if (sp === np) return verdict(sp, from);
  const answer = await dns.txt(domain.ascii, deadline);
  if (answer.kind === 'failed') return unknownFromDns(answer.reason);
  return verdict(answer.kind === 'none' && answer.missing === 'name' ? np : sp, from);
}
