import type { Domain } from '../address/domain.ts';
import { known, type Reading } from '../reading.ts';
import type { Deadline } from '../time/deadline.ts';
import { whenSettled } from '../time/when-settled.ts';
import { unknownFromDns } from './dns-failure.ts';
import type { DnsAnswer, DnsSource, MxRecord } from './dns-source.ts';

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The usable MX records of a domain, best first; empty for a domain without any and for a null MX (RFC 7505 section 3).
 * A cached answer gives the reading at once.
 */
export function readMx(
  domain: Domain,
  dns: DnsSource,
  deadline: Deadline,
): Reading<MxRecord[]> | Promise<Reading<MxRecord[]>> {
  return whenSettled(dns.mx(domain.ascii, deadline), toReading);
}

function toReading(answer: DnsAnswer<MxRecord>): Reading<MxRecord[]> {
  if (answer.kind === 'failed') return unknownFromDns(answer.reason);
  const records = answer.kind === 'records' ? usableRecords(answer.records) : [];
  return known(records, () => [{ source: 'dns', detail: describe(answer, records) }]);
}

function describe(answer: DnsAnswer<MxRecord>, usable: readonly MxRecord[]): string {
  if (answer.kind === 'none') return answer.missing === 'name' ? 'the name does not exist' : 'no MX record';
  if (usable.length === 0) return 'no MX record names a usable host';
  return usable.map((record) => `${record.priority} ${record.hostname}`).join(', ');
}

function usableRecords(records: readonly MxRecord[]): MxRecord[] {
  const unique = new Map<string, MxRecord>();
  for (const record of records) {
    const hostname = hostnameOf(record.hostname);
    if (!isHostname(hostname)) continue;
    unique.set(`${record.priority} ${hostname}`, { hostname, priority: record.priority });
  }
  return [...unique.values()].sort(byPriorityThenHostname);
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
