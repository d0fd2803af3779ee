import type { Domain } from '../address/domain.ts';
import type { Deadline } from '../platform/deadline.ts';
import { known, type Reading } from '../reading.ts';
import { unknownFromDns } from './dns-failure.ts';
import type { DnsAnswer, DnsSource, MxRecord } from './dns-source.ts';

/** More are not listed, nor kept: no mail service needs them. */
export const maxMxRecords = 30;
/** How much of the hosts is shown as evidence. */
const shownHosts = 5;

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The usable MX records of a domain, at most thirty, best first; empty without any and for a null MX (RFC 7505 section 3). */
export async function readMx(domain: Domain, dns: DnsSource, deadline: Deadline): Promise<Reading<MxRecord[]>> {
  return toReading(await dns.mx(domain.ascii, deadline));
}

function toReading(answer: DnsAnswer<MxRecord>): Reading<MxRecord[]> {
  if (answer.kind === 'failed') return unknownFromDns(answer.reason);
  if (answer.kind === 'none')
    return withoutHosts(answer.missing === 'name' ? 'the name does not exist' : 'no MX record');
  const records = usableRecords(answer.records);
  return records.length === 0 ? withoutHosts('no MX record names a usable host') : withHosts(records);
}

function withoutHosts(detail: string): Reading<MxRecord[]> {
  return known([], () => [{ source: 'dns', detail }]);
}

/** Its evidence is made where the answer is not in reach, so that it does not keep all the rest of it in memory. */
function withHosts(records: MxRecord[]): Reading<MxRecord[]> {
  return known(records, () => [{ source: 'dns', detail: describe(records) }]);
}

function describe(records: readonly MxRecord[]): string {
  const shown = records.slice(0, shownHosts).map((record) => `${record.priority} ${record.hostname}`);
  return records.length > shownHosts ? `${shown.join(', ')} and ${records.length - shownHosts} more` : shown.join(', ');
}

/** About how much memory, or room in a file, the hosts take. */
export function hostBytes(records: readonly MxRecord[]): number {
  return records.reduce((total, { hostname }) => total + hostname.length + 64, 0);
}

/** Sorts before it looks at host names: a domain may have a thousand, and checking each takes longer than all the rest. */
function usableRecords(records: readonly MxRecord[]): MxRecord[] {
  const sorted = records
    .map(({ hostname, priority }) => ({ hostname: hostnameOf(hostname), priority }))
    .sort(byPriorityThenHostname);
  const usable: MxRecord[] = [];
  for (const record of sorted) {
    if (usable.length === maxMxRecords) break;
    const last = usable.at(-1);
    const isRepeated = last?.hostname === record.hostname && last.priority === record.priority;
    if (!isRepeated && isHostname(record.hostname)) usable.push(record);
  }
  return usable;
}

function hostnameOf(text: string): string {
  return (text.endsWith('.') ? text.slice(0, -1) : text).toLowerCase();
}

/** RFC 1123 section 2.1: letters, digits, hyphens; a last label of digits alone would be an IP address. */
function isHostname(name: string): boolean {
  if (name.length === 0 || name.length > 253) return false;
  const labels = name.split('.');
  return labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

function byPriorityThenHostname(left: MxRecord, right: MxRecord): number {
  if (left.priority !== right.priority) return left.priority - right.priority;
  return left.hostname < right.hostname ? -1 : Number(left.hostname > right.hostname);
}
