import { join } from 'node:path';
import disposableMxTable from '../../data/disposable-mx.json' with { type: 'json' };
import mxProviderTable from '../../data/mx-providers.json' with { type: 'json' };
import typoTargetTable from '../../data/typo-targets.json' with { type: 'json' };
import { type IpData, openIpData } from '../ip/ip-data.ts';
import { type Lists, openLists } from '../lists/lists.ts';
import { openRanks } from '../lists/ranks/ranks.ts';
import { startRefreshTimer } from '../lists/refresh/refresh-timer.ts';
import { createFactWriter } from '../lookups/fact-writer.ts';
import { createFacts, type Facts } from '../lookups/facts.ts';
import { createFactsStore } from '../lookups/facts-store.ts';
import { createMailFacts } from '../lookups/mail-facts.ts';
import { createRegistrationFacts } from '../lookups/registration-facts.ts';
import { sparingFactsStore } from '../lookups/sparing-facts-store.ts';
import { compileDisposableMx } from '../mail/disposable-mx.ts';
import { readDmarc } from '../mail/dmarc.ts';
import { createDnsblZones, readDnsbl } from '../mail/dnsbl.ts';
import { readMx } from '../mail/mx.ts';
import { compileMxProviders } from '../mail/mx-providers.ts';
import { readSpf } from '../mail/spf.ts';
import { createDns, type Dns } from '../net/dns/dns.ts';
import { isLying, type TrustChange } from '../net/dns/dns-trust.ts';
import { describeTrustChange } from '../net/dns/dns-trust-text.ts';
import { createGuardedHttp, type GuardedHttp } from '../net/http/guarded-http.ts';
import { createHostAddresses } from '../net/http/host-addresses.ts';
import { createRdap } from '../net/registry/rdap.ts';
import { createRegistrationDates, type RegistrationDates } from '../net/registry/registration-dates.ts';
import { createWhois } from '../net/registry/whois.ts';
import { unknown } from '../reading.ts';
import { repeat } from '../time/repeat.ts';
import type { Feature, Shared } from './feature.ts';
import { knowledgeMetrics } from './knowledge-metrics.ts';

/** How often what was learnt is written, and how often the oldest of it is let go. */
const factFlushMs = 1_000;
const factPruneMs = 3_600_000;
const factLimits = { ageMs: 90 * 86_400_000, most: 1_000_000 };

/** Everything the service can find out: lists on disk, the network, and what was learnt before. */
export interface Knowledge extends Feature {
  readonly lists: Lists;
  readonly ip: IpData;
  readonly facts: Facts;
  readonly dns: Dns;
  readonly http: GuardedHttp;
  readonly registrationDates: RegistrationDates;
}

/** Builds the part of the service that knows things; shared by the server and the commands. */
export async function createKnowledge({ config, db, log, now, monotonicMs }: Shared): Promise<Knowledge> {
  const { offline, outboundAllow: allowOrigins, dataDir } = config;
  const ranks = openRanks({ file: join(dataDir, 'lists', 'ranks.bin'), log });
  const lists = await openLists({ dataDir, log, now, ranks });
  const ip = openIpData({ dataDir, log, now });
  const wellKnown = new Set(typoTargetTable.targets.map(({ domain }) => domain));
  const dns = createDns({
    servers: config.dnsServers,
    offline,
    now,
    mustExist: config.dnsMustExist,
    isWellKnown: (name) => wellKnown.has(name),
    onTrustChange(change) {
      const { server, to: standing } = change;
      log.warn({ server, standing }, describeTrustChange(change, config.dnsMustExist));
      retract(change);
    },
  });
  const resolve = createHostAddresses(dns, now);
  const http = createGuardedHttp({ allowOrigins, offline, resolve });
  const rdap = createRdap({
    http,
    url: config.rdapBootstrapUrl,
    dataDir,
    now,
    onProblem: (problem) => log.warn({ problem }, 'the RDAP bootstrap was not refreshed'),
  });
  const registrationDates = createRegistrationDates({
    rdap,
    whois: createWhois({ allowOrigins, resolve, offline, now }),
    now,
    offline,
  });

  const store = sparingFactsStore(createFactsStore(db), monotonicMs);
  const writer = createFactWriter(store);
  const onStoreError = (error: unknown) => log.warn({ err: error }, 'facts could not be read; the network is asked');
  const zones = createDnsblZones(config.dnsblZones, now);
  const noZones = unknown('not_applicable');
  const mail = createMailFacts({
    dns,
    readers: {
      mx: readMx,
      spf: readSpf,
      dmarc: readDmarc,
      dnsbl: (domain, through, deadline) =>
        zones.names.length === 0 ? noZones : readDnsbl(domain, zones, through, deadline),
    },
    providers: compileMxProviders(mxProviderTable.entries),
    disposableMx: compileDisposableMx(disposableMxTable.entries),
    store,
    writer,
    now,
    monotonicMs,
    deadlineMs: config.dnsDeadlineMs,
    onStoreError,
  });
  /** Forgets what a server said since it last proved itself, when it turns out to lie, and that it lied, when it no longer does. */
  function retract({ to, provenAtMs }: TrustChange): void {
    const retraction = { sinceMs: provenAtMs, untilMs: isLying(to) ? now() : 0, all: to === 'inventing' };
    mail.retract(retraction);
    writer.retract(retraction);
  }
  const ask = (registrable: string) => registrationDates.registrationDate(registrable);
  const registration = createRegistrationFacts({ ask, store, writer, now, monotonicMs, onStoreError });

  const notWritten = (error: unknown) => log.warn({ err: error }, 'facts not written yet');
  const flushes = repeat(factFlushMs, () => writer.flush(), notWritten);
  const prunes = repeat(
    factPruneMs,
    async () => {
      const count = await store.prune(now() - factLimits.ageMs, factLimits.most);
      if (count > 0) log.info({ count }, 'old facts let go');
    },
    notWritten,
  );
  const { dnsServers, rdapBootstrapUrl } = config;
  const refreshes =
    config.listsRefresh === 'daily' && !offline
      ? startRefreshTimer({ order: { dataDir, outboundAllow: allowOrigins, dnsServers, rdapBootstrapUrl }, log })
      : null;
  return {
    lists,
    ip,
    facts: createFacts(mail, registration, ranks),
    dns,
    http,
    registrationDates,
    endpoints: [],
    follows: [],
    metrics: knowledgeMetrics({ lists, dns, registrationDates }, now),
    async close() {
      lists.close();
      ranks.close();
      dns.close();
      http.close();
      await Promise.all([ip.close(), flushes.stop(), prunes.stop(), refreshes?.stop()]);
      // What was learnt can be learnt again: a storage that is away must not keep the process from ending.
      await writer.flush().catch(notWritten);
    },
  };
}
