import type { DnsSource } from '../../mail/dns-source.ts';
import type { ResolveHost } from './outbound-guard.ts';

const timeoutMs = 3_000;

/**
 * Resolves host names for outgoing connections through the service's own DNS client, which keeps its deadline and its
 * limits, where the system's resolver would block one of few threads until a dead name server times out.
 */
export function createHostAddresses(dns: DnsSource, now: () => number): ResolveHost {
  return async (hostname) => {
    const deadline = { atMs: now() + timeoutMs };
    const answers = await Promise.all([dns.a(hostname, deadline), dns.aaaa(hostname, deadline)]);
    const addresses = answers.flatMap((answer) => (answer.kind === 'records' ? answer.records : []));
    const failure = answers.find((answer) => answer.kind === 'failed');
    if (addresses.length === 0 && failure !== undefined) throw new Error(`${hostname}: DNS ${failure.reason}`);
    return addresses;
  };
}
