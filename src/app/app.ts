import type { Logger } from 'pino';
import { createAccountsFeature } from '../accounts/feature.ts';
import type { FirstAccount } from '../accounts/first-account.ts';
import { loadPlans, type Plan } from '../accounts/plans.ts';
import { createAuditFeature } from '../audit/feature.ts';
import { createBlocklistFeature } from '../blocklist/feature.ts';
import type { Config } from '../config.ts';
import type { HashCost } from '../console/access/passwords.ts';
import type { Invitation } from '../console/access/users.ts';
import { createConsoleFeature } from '../console/feature.ts';
import { builtConsole } from '../console/static-files.ts';
import { createCustomListsFeature } from '../custom-lists/feature.ts';
import { openDatabase } from '../db/db.ts';
import { createStorageFeature } from '../db/feature.ts';
import type { Feature, Shared, Siblings } from '../feature.ts';
import { createGatesFeature } from '../gates/feature.ts';
import { createHintsFeature } from '../hints/feature.ts';
import { formScript } from '../hints/form-script.ts';
import { createHooksFeature } from '../hooks/feature.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { openApiDocument } from '../http/openapi.ts';
import { createServer, type HttpServer } from '../http/server.ts';
import { consoleDocument } from '../http/session-api/console-document.ts';
import { createKnowledge, type Knowledge } from '../knowledge/feature.ts';
import { reportOldEditions } from '../lists/old-editions.ts';
import { downloadable } from '../lists/refresh/refresh-catalogue.ts';
import type { Facts } from '../lookups/facts.ts';
import { createLookupsFeature } from '../lookups/feature.ts';
import type { Lookup } from '../lookups/lookup.ts';
import { createMcpProtocol } from '../mcp/mcp-protocol.ts';
import { isUntrusted } from '../net/dns/dns.ts';
import { createLookupCounting, createOverviewFeature, type LookupCounting } from '../overview/feature.ts';
import type { JobStatus } from '../platform/jobs.ts';
import { lazily } from '../platform/lazily.ts';
import { readExamples, referencePages } from '../reference/reference.ts';
import { createSeenFeature } from '../seen/feature.ts';
import { createFlaggingFeature } from '../seen/flagging/feature.ts';
import { createTrafficFeature } from '../traffic/feature.ts';
import { version } from '../version.ts';
import { createWavesFeature, loadShownAddress } from '../waves/feature.ts';
import { createWaveNames } from '../waves/wave-names.ts';
import { announce } from '../webhooks/announce-store.ts';
import { createWebhooksFeature } from '../webhooks/feature.ts';
import { decisionSignalsFrom, traceSubjectsFrom } from './decision-signals.ts';
import { createDecisionTraffic } from './decision-traffic.ts';
import { createDiagnose } from './diagnostics.ts';
import { createMetrics, unwrittenEntries } from './metrics.ts';
import { runFeatures } from './run-features.ts';
import { createSignUpDecisions, createSignUpTraces } from './sign-up-decisions.ts';

/** The whole service, built and ready to listen. */
export interface App {
  readonly server: HttpServer;
  /** Every endpoint, for keys and for sessions. */
  readonly endpoints: readonly Endpoint[];
  readonly openapi: object;
  /** Describes the endpoints that only the console has; it is never served. */
  readonly consoleOpenapi: object;
  readonly knowledge: Knowledge;
  /** The state of every background job. */
  jobs(): JobStatus[];
  /** Detects waves in everything that was decided, now rather than when the job is due: for callers that set the clock. */
  detectWaves(): Promise<void>;
  /** Creates the account and keys of an empty database; null when it is not empty. */
  createFirstAccount(): Promise<FirstAccount | null>;
  /** A sign-in link for the first user; null once a user has signed in. */
  inviteFirstUser(): Promise<Invitation | null>;
  /** Accepts no more requests, finishes those in progress, flushes buffers and closes the storage. */
  close(): Promise<void>;
}

/** What the process hands to the service besides its configuration. */
export interface AppOptions {
  readonly log: Logger;
  readonly now: () => number;
  /** Measures spans of time and never goes back; `performance.now` unless said otherwise. */
  readonly monotonicMs?: () => number;
  readonly siblings?: Siblings;
  /** Where the built pages of the console are; beside package.json unless said otherwise. */
  readonly consoleFolder?: string;
  /** The cost of password hashes; the usual one unless said otherwise. */
  readonly hashCost?: HashCost;
  /** What the network tells, in place of asking it. */
  readonly facts?: Facts;
}

/** The composition root: builds every part and hands it on. */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const { log, now, monotonicMs = () => performance.now() } = options;
  const plans = loadPlans(config.plansFile);
  const db = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, secretKey: config.secretKey });
  try {
    const shared = { config, db, log, now, monotonicMs, ...(options.siblings && { siblings: options.siblings }) };
    return await assemble(shared, plans, options);
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function assemble(
  given: Shared,
  plans: ReadonlyMap<string, Plan>,
  { consoleFolder = builtConsole, hashCost, facts }: AppOptions,
): Promise<App> {
  const storage = createStorageFeature(given);
  const shared: Shared = { ...given, db: storage.db };
  const accounts = await createAccountsFeature(shared, plans);
  const blocklist = createBlocklistFeature(shared, () => running.changes.lastSuccessMs());
  const knowledge = await createKnowledge(shared);
  knowledge.listDistribution?.begin(knowledge.lists);
  reportOldEditions(knowledge.editions.all(), downloadable, shared.log, shared.now());
  const counting = createLookupCounting(shared);
  const known = facts === undefined ? knowledge : { ...knowledge, facts };
  const flagging = createFlaggingFeature(shared, knowledge, announce);
  const seen = createSeenFeature(shared, flagging.onFlagged);
  const lookups = createLookupsFeature(shared, known, blocklist, (result, caller) => {
    // What repeats was seen already, and is flagged as nothing more.
    if (counting.onLookup(result, caller)) seen.onLookup(result, caller);
  });
  const webhooks = await createWebhooksFeature(shared, knowledge.network, (owner) => gates.gateIds(owner));
  const names = createWaveNames(await loadShownAddress(shared));
  const traffic = await createTrafficFeature(shared, {
    onVisit: names.note,
    waveOf: (block, place, nowMs) => waves.waveOf(block, place, nowMs),
  });
  const counted = createDecisionTraffic(traffic.traffic, seen.firstSeen, knowledge.lists);
  const customLists = createCustomListsFeature(shared, accounts.nameActors);
  const gates = await createGatesFeature(
    shared,
    {
      readSignals: decisionSignalsFrom(
        ticking(seen.remembering(lookups.lookup), counting),
        knowledge.ip.read,
        counted.count,
      ),
      readTraceSubject: traceSubjectsFrom(lookups.lookup, knowledge.ip.read, counted.peek),
    },
    customLists.membership,
    accounts.nameActors,
    (decision, owner) => {
      if (decision.signals.traffic) traffic.traffic.decided(decision.signals.traffic, decision);
      webhooks.onDecision(decision, owner);
    },
  );
  const hooks = await createHooksFeature(shared, {
    decide: createSignUpDecisions({ callerOf: accounts.callerOf, admission: accounts.admission, gates }),
    trace: createSignUpTraces(gates),
    gateIds: gates.gateIds,
  });
  const waves = await createWavesFeature(shared, {
    traffic,
    names,
    announce,
    log: gates.log,
    gateIds: gates.gateIds,
    groupOutcomes: gates.groupOutcomes,
  });
  const console = await createConsoleFeature(shared, {
    plans,
    knowledge,
    forgetAccount: accounts.forgetAccount,
    folder: consoleFolder,
    ...(hashCost && { hashCost }),
  });
  const audit = createAuditFeature(shared, accounts.nameActors);
  const features: readonly Feature[] = [
    storage,
    audit,
    accounts,
    knowledge,
    flagging,
    seen,
    lookups,
    createHintsFeature(knowledge),
    blocklist,
    traffic,
    customLists,
    gates,
    hooks,
    waves,
    createOverviewFeature(shared, counting, gates.activity, accounts.usage, audit.recentChanges),
    webhooks,
    console,
  ];

  const running = runFeatures(shared, features);
  const { config, db, log, now } = shared;
  const endpoints = features.flatMap(({ endpoints: served = [] }) => served);
  const openapi = lazily(() => openApiDocument(endpoints, version, readExamples()));
  const server = createServer({
    endpoints,
    admission: accounts.admission,
    log,
    metrics: createMetrics(features, running.jobMetrics.metrics),
    collect: shared.siblings?.collect,
    pages: [...referencePages(openapi, consoleFolder, config.mcp ? endpoints : []), formScript(consoleFolder)],
    openPaths: features.flatMap(({ openPaths = [] }) => openPaths),
    protocols: config.mcp ? [createMcpProtocol(endpoints)] : [],
    console: console.mount,
    publicUrl: config.publicUrl,
    // The name that the operator chose to listen on is one of the service.
    allowedHosts: [...config.allowedHosts, config.host],
    allowKeyInQuery: config.allowKeyInQuery,
    trustProxy: config.trustProxy,
    metricsToken: config.metricsToken,
    accessLog: config.accessLog,
    accountCpuPercent: config.accountCpuPercent,
    now,
    monotonicMs: shared.monotonicMs,
    ready: () => db.ping(),
    diagnose: createDiagnose({
      config,
      db,
      knowledge,
      unwritten: () => unwrittenEntries(features),
      webhooks,
      hooks,
      secretKeysDiffer: storage.secretKeysDiffer,
      jobs: running.jobs,
      now,
    }),
    remarks: () => (isUntrusted(knowledge.network.dns) ? { dns: 'untrusted' } : {}),
  });
  return {
    server,
    endpoints,
    get openapi() {
      return openapi();
    },
    get consoleOpenapi() {
      return consoleDocument(endpoints);
    },
    knowledge,
    jobs: running.jobs,
    async detectWaves() {
      await traffic.flush();
      await waves.detect();
    },
    createFirstAccount: accounts.createFirstAccount,
    inviteFirstUser: console.inviteFirst,
    async close() {
      await server.close();
      await running.close();
      await db.close();
    },
  };
}

/** A decision looks up what it decides about, and counts for the peak as a lookup does. */
function ticking(lookup: Lookup, { counts }: LookupCounting): Lookup {
  return (subject, caller, options) => {
    counts.tick(caller);
    return lookup(subject, caller, options);
  };
}
