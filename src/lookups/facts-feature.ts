import disposableMxTable from '../../data/disposable-mx.json' with { type: 'json' };
import mxProviderTable from '../../data/mx-providers.json' with { type: 'json' };
import type { Domain } from '../address/domain.ts';
import type { Config } from '../config.ts';
import type { Shared } from '../feature.ts';
import type { LearntMailHosts } from '../learning/feature.ts';
import { createThrottledLog } from '../log.ts';
import { compileDisposableMx, disposableMail } from '../mail/disposable-mx.ts';
import { readDmarc } from '../mail/dmarc.ts';
import type { MxRecord } from '../mail/dns-source.ts';
import { createDnsblZones, type DnsblZones, readDnsbl } from '../mail/dnsbl.ts';
import { readMx } from '../mail/mx.ts';
import { compileMxProviders } from '../mail/mx-providers.ts';
import { readSpf } from '../mail/spf.ts';
import { isLying, type TrustChange } from '../net/dns/dns-trust.ts';
import type { Network } from '../net/feature.ts';
import type { Job } from '../platform/jobs.ts';
import type { WriteBehind } from '../platform/write-behind.ts';
import { unknown } from '../reading.ts';
import type { DomainFacts, RankSource } from '../signals/sources.ts';
import { createFactWriter } from './fact-writer.ts';
import { createFacts, type Facts } from './facts.ts';
import { createFactsStore } from './facts-store.ts';
import { guardedFactsStore } from './guarded-facts-store.ts';
import { createMailFacts, type MailReaders } from './mail-facts.ts';
import { createRegistrationFacts } from './registration-facts.ts';

const retention = { ageMs: 90 * 86_400_000, maxFacts: 1_000_000 };

/** The facts of a domain, requested as a lookup requests them. */
export type FactsAnew = (domain: Domain) => Promise<DomainFacts>;

/** Facts from the network, kept in memory and in the database. */
export interface LearntFacts {
  readonly facts: Facts;
  /** The facts of a domain, with the mail servers learnt until now. */
  readonly factsAnew: FactsAnew;
  /** The number of domains in memory, by the state of their facts. */
  readonly caches: { readonly mail: () => number; readonly registration: () => number };
  readonly buffers: readonly WriteBehind[];
  readonly jobs: readonly Job[];
  /** Forgets a lying server's answers since its last proof, and, once it is honest again, that it lied. */
  retract(change: TrustChange): void;
}

/** Builds the facts over the clients of the network and the ranks. */
export function createLearntFacts(
  shared: Shared,
  network: Network,
  ranks: RankSource,
  hosts: LearntMailHosts | null,
): LearntFacts {
  const { config, db, log, now, monotonicMs } = shared;
  const store = guardedFactsStore(createFactsStore(db), monotonicMs);
  const writer = createFactWriter({
    store,
    prove: network.dns.prove,
    onWritten(facts) {
      for (const { kind, domain, value } of facts)
        if (kind === 'mx') hosts?.observe(domain, value as readonly MxRecord[]);
    },
  });
  const zones = createDnsblZones(config.dnsblZones, now);
  const startedAtMs = now();
  const logThrottled = createThrottledLog(log);
  const onStoreError = (error: unknown) =>
    logThrottled('warn', 'facts', { err: error }, 'facts could not be read; lookups query the network instead');
  const kept = { store, writer, now, monotonicMs, onStoreError };
  const disposableMx = compileDisposableMx(disposableMxTable.entries);
  const learntHosts = hosts?.sharedBy ?? (() => 0);
  const mail = createMailFacts({
    ...kept,
    dns: network.dns,
    readers: mailReaders(config, zones),
    providers: compileMxProviders(mxProviderTable.entries),
    disposableMx,
    learntHosts,
    deadlineMs: config.dnsDeadlineMs,
    isOffline: config.offline,
  });
  const registration = createRegistrationFacts({
    ...kept,
    ask: network.registrationDates.registrationDate,
  });

  const known = createFacts(mail, registration, ranks);
  return {
    facts: known,
    async factsAnew(domain) {
      const told = await known.factsOf(domain, { mx: true, waitForRegistrationMs: 0 });
      // Views are built when an answer arrives: a server may have been learnt since.
      return {
        ...told,
        disposableMail: told.mx.known ? disposableMail(domain, told.mx.value, disposableMx, learntHosts) : null,
      };
    },
    caches: { mail: mail.size, registration: registration.size },
    buffers: [writer.buffer],
    jobs: [
      {
        name: 'prune-facts',
        everyMs: 3_600_000,
        // A process that restarts every hour has old facts too.
        firstMs: 3_000,
        lease: { forMs: 7_200_000 },
        failure: 'old facts could not be removed; the next attempt is in an hour',
        async run(signal) {
          const count = await store.prune(now() - retention.ageMs, retention.maxFacts, signal);
          if (count > 0) log.info({ count }, 'old facts removed');
        },
      },
    ],
    retract({ to, provenAtMs }) {
      // Facts stored before this process started were proven then.
      const sinceMs = Math.max(provenAtMs, startedAtMs);
      mail.retract({ sinceMs, untilMs: isLying(to) ? now() : 0, all: to === 'inventing' });
      zones.tests.clear();
      if (isLying(to)) writer.dropUnproven();
    },
  };
}

function mailReaders({ offline }: Config, zones: DnsblZones): MailReaders {
  const noZones = unknown('not_applicable');
  const dnsbl: MailReaders['dnsbl'] = (domain, dns, deadline) =>
    zones.names.length === 0 ? noZones : readDnsbl(domain, zones, dns, deadline);
  if (!offline) return { mx: readMx, spf: readSpf, dmarc: readDmarc, dnsbl };
  // Known without a query; the DNS would answer the same, only later.
  const away = unknown('offline');
  return { mx: () => away, spf: () => away, dmarc: () => away, dnsbl };
}
