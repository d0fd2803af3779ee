import thresholds from '../../data/mail-host-learning.json' with { type: 'json' };
import type { MxRecord } from '../mail/dns-source.ts';
import { createPendingByKey } from '../platform/pending-entries.ts';
import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import { countHosts, type Standing } from './count-hosts.ts';
import type { HostDomain, MailHostsStore } from './mail-hosts-store.ts';

/** What learning needs to know of names, and where it keeps what it saw. */
export interface MailHostsOptions {
  readonly store: MailHostsStore;
  /** What the lists say of a domain. */
  standingOf(domain: string): Standing;
  /** Servers of mail providers and of well-known domains: anybody may point there. */
  isExempt(host: string): boolean;
  readonly now: () => number;
}

/** The mail servers that disposable services were found to use, learnt from the domains that point there. */
export interface MailHosts {
  /** How many listed domains share a server that was learnt; 0 for every other one. */
  sharedBy(host: string): number;
  /** The servers that were learnt, with how many listed domains share each; another object after every change. */
  learnt(): ReadonlyMap<string, number>;
  /** The domains that were seen to point at a server, some at a time. */
  pointingAt(host: string): AsyncIterable<readonly string[]>;
  /** Notes where a domain's mail goes; written behind the request. */
  observe(domain: string, records: readonly MxRecord[]): void;
  readonly buffer: WriteBehind;
  /** Counts again what points where; how many servers are learnt now. */
  recount(): Promise<number>;
  /** Takes over what this or another process has counted. */
  load(): Promise<void>;
  /** Forgets what was seen while a DNS server made answers up. */
  retract(sinceMs: number, untilMs: number): Promise<void>;
  prune(): Promise<void>;
}

/** More servers of one domain than this say nothing more. */
const hostsOfADomain = 5;
/** Storage that is unavailable for long must not fill the memory: lookups observe a domain's servers again. */
const maxPending = 20_000;
const mostPairs = 1_000_000;
const pageRows = 1_000;
const mostLearnt = 50_000;

export function createMailHosts({ store, standingOf, isExempt, now }: MailHostsOptions): MailHosts {
  const pending = createPendingByKey<HostDomain>(({ host, domain }) => `${host} ${domain}`, maxPending);
  let learnt: ReadonlyMap<string, number> = new Map();
  const load = async (): Promise<void> => {
    const rows = await store.learnt(mostLearnt);
    learnt = new Map(rows.map(({ host, listed }) => [host, listed]));
  };
  return {
    sharedBy: (host) => learnt.get(host) ?? 0,
    learnt: () => learnt,
    async *pointingAt(host) {
      for (let after: HostDomain | undefined = { host, domain: '' }; after !== undefined; ) {
        const rows: HostDomain[] = (await store.page(after, pageRows)).filter((row) => row.host === host);
        yield rows.map(({ domain }) => domain);
        after = rows.length < pageRows ? undefined : rows.at(-1);
      }
    },
    observe(domain, records) {
      for (const { hostname: host } of records.slice(0, hostsOfADomain)) {
        // A server of the domain's own is shared with nobody.
        const isOwn = host === domain || host.endsWith(`.${domain}`);
        if (!isOwn && !isExempt(host)) pending.add({ host, domain });
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
      const found = await countHosts({
        page: store.page,
        standingOf,
        isExempt,
        isLearnt,
        thresholds,
        most: mostLearnt,
      });
      await store.replaceLearnt(found);
      await load();
      return found.length;
    },
    load,
    async retract(sinceMs, untilMs) {
      pending.removeIf(() => true);
      await store.retract(sinceMs, untilMs);
    },
    prune: () => store.prune(mostPairs),
  };
}
