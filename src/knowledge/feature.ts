import { join } from 'node:path';
import { createAuditStore } from '../audit/audit-store.ts';
import type { Feature, Shared } from '../feature.ts';
import { type IpData, openIpData } from '../ip/ip-data.ts';
import { openNetworkPackage } from '../ip/network-package.ts';
import { type LearntMailHosts, openLearntMailHosts } from '../learning/feature.ts';
import { createListDistribution, type ListDistribution } from '../lists/distribution/feature.ts';
import { type Lists, openLists } from '../lists/lists.ts';
import { openOperatorEntries } from '../lists/operator/open-entries.ts';
import { operatorEntriesTopic } from '../lists/operator/operator-entries-store.ts';
import { createOwnEntries, type OwnEntries } from '../lists/operator/own-entries.ts';
import { openRanks, type Ranks } from '../lists/ranks/ranks.ts';
import { type DataEditions, dataEditions } from '../lists/refresh/data-editions.ts';
import { refreshJob } from '../lists/refresh/refresh-timer.ts';
import type { Facts } from '../lookups/facts.ts';
import { createLearntFacts, type FactsAnew } from '../lookups/facts-feature.ts';
import { createNetwork, type Network } from '../net/feature.ts';
import { knowledgeMetrics } from './knowledge-metrics.ts';

/** The sources of signals: lists on disk, the network, and stored facts. */
export interface Knowledge extends Feature {
  readonly lists: Lists;
  readonly ownEntries: OwnEntries;
  /** Null on the embedded database, whose processes share one data directory. */
  readonly listDistribution: ListDistribution | null;
  readonly ip: IpData;
  readonly ranks: Ranks;
  readonly editions: DataEditions;
  readonly facts: Facts;
  readonly factsAnew: FactsAnew;
  readonly network: Network;
  /** Null with `LEARN_MAIL_SERVERS=off`. */
  readonly mailHosts: LearntMailHosts | null;
}

/** Builds the part of the service that knows things; shared by the server and the commands. */
export async function createKnowledge(shared: Shared): Promise<Knowledge> {
  const { config, log, now } = shared;
  const { dataDir, outboundAllow, dnsServers, rdapBootstrapUrl } = config;
  const ranks = openRanks({ file: join(dataDir, 'lists', 'ranks.bin'), log });
  const operator = await openOperatorEntries(shared.db, dataDir, log, now);
  const listDistribution = createListDistribution(shared);
  await listDistribution?.prepare();
  const lists = await openLists({
    dataDir,
    log,
    now,
    ranks,
    operator,
    ...(listDistribution && { sharedSnapshots: listDistribution.sharedSnapshots }),
  });
  const { monotonicMs } = shared;
  const snapshotSources = () => lists.status().sources;
  const known = dataEditions({ dataDir, rdapBootstrapUrl, snapshotSources, ranks, monotonicMs });
  const networks = openNetworkPackage({
    dataDir,
    log,
    ...(shared.siblings && { build: shared.siblings.buildNetworks }),
  });
  const ip = openIpData({ dataDir, log, now, networks, editionOf: known.ofFile });
  const editions = known.with(ip);
  const network = createNetwork(shared, (change) => learnt.retract(change));
  const mailHosts = config.learnMailServers ? await openLearntMailHosts(shared, lists) : null;
  const learnt = createLearntFacts(shared, network, ranks, mailHosts);
  const refreshes =
    config.listsRefresh === 'daily' && !config.offline
      ? [
          refreshJob({
            order: { dataDir, outboundAllow, dnsServers, rdapBootstrapUrl },
            log,
            onUpdated: (sources) => recordRefresh(shared, sources),
            ...(listDistribution && { run: listDistribution.refresh }),
          }),
        ]
      : [];
  return {
    lists,
    ownEntries: createOwnEntries(operator, now, lists.reloadEntries),
    listDistribution,
    ip,
    ranks,
    editions,
    facts: learnt.facts,
    factsAnew: learnt.factsAnew,
    network,
    mailHosts,
    follows: [
      { topic: operatorEntriesTopic, changed: lists.reloadEntries, changedAll: lists.reloadEntries },
      ...(listDistribution?.follows ?? []),
      ...(mailHosts?.follows ?? []),
    ],
    metrics: knowledgeMetrics(lists, editions, network, now),
    caches: {
      dns: () => network.dns.metrics().entries,
      mail_facts: learnt.caches.mail,
      registrations: learnt.caches.registration,
    },
    buffers: [...learnt.buffers, ...(mailHosts?.buffers ?? [])],
    jobs: [
      ...refreshes,
      ...(listDistribution?.jobs ?? []),
      ...learnt.jobs,
      ...(mailHosts?.jobs ?? []),
      {
        name: 'poll-lists',
        everyMs: 500,
        failure: 'lists: could not look for changed files',
        async run() {
          lists.poll();
          ranks.poll();
        },
      },
      { name: 'poll-ip-data', everyMs: 1_000, failure: 'IP data: could not look for changed files', run: ip.poll },
    ],
    async close() {
      await listDistribution?.close();
      network.close();
      await ip.close();
    },
  };
}

/** Records in the audit trail that sources have new editions: the overview shows it beside the decisions. */
async function recordRefresh({ db, now }: Shared, sources: readonly string[]): Promise<void> {
  const act = { action: 'list.refreshed', subject: 'lists', accountId: null, detail: { sources } };
  await createAuditStore(db).record({ kind: 'service', id: 'refresh-lists', from: null }, act, now());
}
