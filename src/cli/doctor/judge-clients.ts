import type { Diagnostics } from '../../app/diagnostics.ts';
import { type Finding, ok, warning } from './finding.ts';

/** So few lookups say nothing about the share of unknown values. */
const minLookups = 100;
const maxUnknownShare = 0.02;

/** Judges whether clients get what they need: a client that is refused, or gets no `mx`, may let everyone in or reject good addresses. */
export function judgeClients(processes: readonly Diagnostics[]): Finding[] {
  const refused = (reason: string): number => sum(processes.map(({ requests }) => requests.refusals[reason] ?? 0));
  const findings: Finding[] = [];
  const inQuery = refused('key_in_query');
  if (inQuery > 0) {
    const fix =
      'Send the key in the header Authorization, or set ALLOW_KEY_IN_QUERY=true (keys in URLs end up in logs).';
    findings.push(warning('Clients', `${requests(inQuery)} with a key in the query refused since the start`, fix));
  }
  const keyless = refused('key_required');
  if (keyless > 0) {
    const fix = 'Give these clients a key, or set ANONYMOUS_PER_HOUR if lookups without one are intended.';
    findings.push(warning('Clients', `${requests(keyless)} without a key refused since the start`, fix));
  }
  return [...findings, ...judgeUnknownMx(processes)];
}

function judgeUnknownMx(processes: readonly Diagnostics[]): Finding[] {
  const [first] = processes;
  const unknown = sum(processes.map(({ lookups_mx }) => lookups_mx.unknown));
  const total = unknown + sum(processes.map(({ lookups_mx }) => lookups_mx.known));
  if (first === undefined || first.offline || total < minLookups) return [];
  const text = `mx was unknown in ${unknown} of ${total} lookups (${((100 * unknown) / total).toFixed(1)} %)`;
  if (unknown / total <= maxUnknownShare) return [ok('Clients', text)];
  const fix = `Clients that reject on a missing mx reject good addresses: set DNS_DEADLINE_MS (now ${first.dns_deadline_ms}) to 2000 or 3000.`;
  return [warning('Clients', text, fix)];
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
const requests = (count: number): string => (count === 1 ? '1 request' : `${count} requests`);
