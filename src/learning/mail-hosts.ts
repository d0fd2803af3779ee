import thresholds from '../../data/mail-host-learning.json' with { type: 'json' };
import { type Domain, parseDomain } from '../address/domain.ts';
import type { MxRecord } from '../mail/dns-source.ts';
import { createPendingByKey } from '../platform/pending-entries.ts';
import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import { countHosts, type DomainTrust } from './count-hosts.ts';
import type { HostDomain, MailHostsStore } from './mail-hosts-store.ts';

export interface MailHostsOptions {
  readonly store: MailHostsStore;
  /** The state of a domain in the lists. */
  trustOf(domain: string): DomainTrust;
  /** Servers of mail providers and of well-known domains, which any domain may use. */
  isExempt(host: string): boolean;
  /** Whether a server's domain is listed. */
  isListed(host: string): boolean;
  readonly now: () => number;
}

/**
 * The mail servers of disposable services, learnt from the domains that use them. Servers below one registrable domain count as
 * one: services have several, or one name for each of their domains.
 */
export interface MailHosts {
  /**
   * How many listed domains share a learnt server; 0 for all other servers, and for the domain's own: strangers can point listed
   * domains at the server of any company.
   */
  sharedBy(host: string, domain: Domain): number;
  /** The learnt servers, with the number of listed domains that share each; a new object after every change. */
  learnt(): ReadonlyMap<string, number>;
  /** The domains that use a server, page by page. */
  pointingAt(host: string): AsyncIterable<readonly string[]>;
  /** Records a domain's mail servers; written behind the request. */
  observe(domain: string, records: readonly MxRecord[]): void;
  readonly buffer: WriteBehind;
  /** Counts the domains of each server again; returns the number of learnt servers. */
  recount(): Promise<number>;
  /** When a server was last observed, by any process. */
  lastSeenMs(): Promise<number | null>;
  /** Loads the counts of this or another process. */
  load(): Promise<void>;
  prune(): Promise<void>;
}

/** Further servers of one domain add no information. */
const maxHostsPerDomain = 5;
/** Storage that is unavailable for long must not fill the memory: lookups observe a domain's servers again. */
const maxPending = 20_000;
const maxPairs = 1_000_000;
const pageRows = 1_000;
const maxLearnt = 50_000;

export function createMailHosts({ store, trustOf, isExempt, isListed, now }: MailHostsOptions): MailHosts {
  const pending = createPendingByKey<HostDomain>(({ host, domain }) => `${host} ${domain}`, maxPending);
  let learnt: ReadonlyMap<string, number> = new Map();
  const load = async (): Promise<void> => {
    const rows = await store.learnt(maxLearnt);
    learnt = new Map(rows.map(({ host, listed }) => [host, listed]));
  };
  return {
    sharedBy(host, domain) {
      const server = registrableOf(host);
      const listed = learnt.get(server) ?? 0;
      return listed > 0 && (server === domain.registrable || isExempt(host)) ? 0 : listed;
    },
    learnt: () => learnt,
    pointingAt: (host) => domainsAt(store, host),
    observe(domain, records) {
      for (const { hostname } of records.slice(0, maxHostsPerDomain)) {
        const host = registrableOf(hostname);
        // No other domain shares a domain's own server.
        if (host !== registrableOf(domain) && !isExempt(hostname)) pending.add({ host, domain });
      }
    },
    buffer: createWriteBehind<readonly HostDomain[]>({
      name: 'mail_hosts',
      pending,
      batchSize: maxPending,
      flushEveryMs: 2_000,
      failure: 'observed mail servers are not written yet',
      write: (batch) => store.save(batch, now()),
    }),
    async recount() {
      const isLearnt = (host: string): boolean => learnt.has(host);
      const { page, lookedUp } = store;
      const inUse = { trustOf, isExempt, isListed, isLearnt };
      const found = await countHosts({ page, lookedUp, ...inUse, thresholds, most: maxLearnt });
      await store.replaceLearnt(found, now());
      await load();
      return found.length;
    },
    load,
    lastSeenMs: store.lastSeenMs,
    prune: () => store.prune(maxPairs),
  };
}

async function* domainsAt(store: MailHostsStore, host: string): AsyncGenerator<readonly string[]> {
  for (let after: HostDomain | undefined = { host, domain: '' }; after !== undefined; ) {
    const rows: HostDomain[] = (await store.page(after, pageRows)).filter((row) => row.host === host);
    yield rows.map(({ domain }) => domain);
    after = rows.length < pageRows ? undefined : rows.at(-1);
  }
}

function registrableOf(name: string): string {
  return parseDomain(name)?.registrable ?? name;
}
