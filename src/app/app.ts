import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { accountsTopic } from '../accounts/accounts-store.ts';
import { createAdmission } from '../accounts/admission.ts';
import { createCredits } from '../accounts/credits.ts';
import { createFirstAccount, type FirstAccount } from '../accounts/first-account.ts';
import { createIpBlock } from '../accounts/ip-block.ts';
import { createKeyCache } from '../accounts/key-cache.ts';
import { createKeysStore } from '../accounts/keys-store.ts';
import { loadPlans, type Plan } from '../accounts/plans.ts';
import { statusEndpoints } from '../accounts/status-endpoints.ts';
import { createThroughputLimiter } from '../accounts/throughput.ts';
import { createUsageStore } from '../accounts/usage-store.ts';
import { createBlocklist } from '../blocklist/blocklist.ts';
import { blocklistEndpoints } from '../blocklist/blocklist-endpoints.ts';
import { createBlocklistStore } from '../blocklist/blocklist-store.ts';
import { createMembership } from '../blocklist/membership.ts';
import { createMembershipStore } from '../blocklist/membership-store.ts';
import { blocklistTopic } from '../blocklist/stored-list-store.ts';
import type { Config } from '../config.ts';
import { watchChanges } from '../db/changes.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { createGateCache } from '../gates/gate-cache.ts';
import { createGatesStore, gatesTopic, scopeOf } from '../gates/gates-store.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { openApiDocument } from '../http/openapi.ts';
import { createServer } from '../http/server.ts';
import { createLookup } from '../lookups/lookup.ts';
import { lookupsEndpoints } from '../lookups/lookups-endpoints.ts';
import { repeat } from '../time/repeat.ts';
import { version } from '../version.ts';
import { decisionSignalsFrom } from './decision-signals.ts';
import { createGatekeeping } from './gatekeeping.ts';
import { createKnowledge, type Knowledge } from './knowledge.ts';
import { exportKnowledge } from './knowledge-metrics.ts';

/** How often credits used are written; a kill -9 loses no more than this. */
const creditFlushMs = 500;

/** The whole service, built and ready to listen. */
export interface App {
  readonly server: ReturnType<typeof createServer>;
  readonly openapi: object;
  readonly knowledge: Knowledge;
  /** Creates the account and keys of an empty database; null when it is not empty. */
  createFirstAccount(): Promise<FirstAccount | null>;
  /** Stops taking requests, finishes those under way, writes what is counted, closes the storage. */
  close(): Promise<void>;
}

/** What the process hands to the service besides its configuration. */
export interface Environment {
  readonly log: Logger;
  readonly now: () => number;
  /** Measures spans of time and never goes back; `performance.now` unless said otherwise. */
  readonly monotonicMs?: () => number;
}

/** The composition root: builds every part and hands it on. */
export async function createApp(config: Config, environment: Environment): Promise<App> {
  const plans = loadPlans(config.plansFile);
  const db = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir });
  try {
    return await assemble(config, environment, plans, db);
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function assemble(
  config: Config,
  { log, now, ...given }: Environment,
  plans: ReadonlyMap<string, Plan>,
  db: Db,
): Promise<App> {
  const monotonicMs = given.monotonicMs ?? (() => performance.now());
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics, prefix: 'signalpost_' });

  const keys = createKeyCache(createKeysStore(db), plans, monotonicMs);
  const credits = createCredits(createUsageStore(db), now);
  const ipBlock = createIpBlock({ after: config.ipBlockAfter, loopback: config.ipBlockLoopback, monotonicMs });
  const admission = createAdmission(keys, createThroughputLimiter(monotonicMs), credits, ipBlock);

  const membership = createMembership({
    store: createMembershipStore(db),
    monotonicMs,
    lastLookMs: () => changes.lastSuccessMs(),
    onError: (error) => log.warn({ err: error }, 'blocklist not read yet'),
  });
  const blocklist = createBlocklist(createBlocklistStore(db), membership, now);

  const gateCache = createGateCache(createGatesStore(db), scopeOf);

  const changes = watchChanges(
    db,
    { monotonicMs },
    (topic, scope) => {
      if (topic === accountsTopic) keys.forgetAccount(scope);
      if (topic === blocklistTopic) membership.changed(scope);
      if (topic === gatesTopic) gateCache.changed(scope);
    },
    () => {
      keys.forgetAll();
      membership.changedAll();
      gateCache.changedAll();
    },
  );
  // The first look only learns where things stand: what was read before it may have missed a change.
  changes.ready.then(() => {
    keys.forgetAll();
    membership.changedAll();
    gateCache.changedAll();
  });
  const flushes = repeat(
    creditFlushMs,
    () => credits.flush(),
    (error) => log.warn({ err: error }, 'credits not written yet'),
  );

  const knowledge = await createKnowledge(config, db, log, now);
  exportKnowledge(metrics, knowledge, now);
  const { lists, facts } = knowledge;
  const lookup = createLookup({ lists, facts, blocklist: membership, now, waitMaxMs: config.waitMaxMs });
  const readSignals = decisionSignalsFrom(lookup, knowledge.ip.read);
  const gatekeeping = await createGatekeeping({ config, db, log, metrics, now, monotonicMs, readSignals, gateCache });

  const endpoints: Endpoint[] = [
    ...statusEndpoints(credits),
    ...lookupsEndpoints(lookup),
    ...blocklistEndpoints(blocklist),
    ...gatekeeping.endpoints,
  ];
  const openapi = openApiDocument(endpoints, version);
  const server = createServer({
    endpoints,
    admission,
    log,
    metrics,
    openapi,
    publicUrl: config.publicUrl,
    allowKeyInQuery: config.allowKeyInQuery,
    trustProxy: config.trustProxy,
    now,
    ready: () => db.ping(),
  });
  return {
    server,
    openapi,
    knowledge,
    createFirstAccount: () => createFirstAccount(db, plans, now),
    async close() {
      await server.close();
      changes.stop();
      await flushes.stop();
      await gatekeeping.close();
      await knowledge.close();
      // A storage that is away must not keep the process from ending.
      await credits.flush().catch((error) => log.error({ err: error }, 'credits of the last moment were not written'));
      await db.close();
    },
  };
}
