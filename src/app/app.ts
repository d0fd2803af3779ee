import type { Logger } from 'pino';
import type { FirstAccount } from '../accounts/first-account.ts';
import { loadPlans, type Plan } from '../accounts/plans.ts';
import type { Config } from '../config.ts';
import type { HashCost } from '../console/access/passwords.ts';
import type { Invitation } from '../console/access/users.ts';
import { builtConsole } from '../console/static-files.ts';
import { openDatabase } from '../db/db.ts';
import type { Shared, Siblings } from '../feature.ts';
import type { FirstGate } from '../gates/first-gates.ts';
import { formScript } from '../hints/form-script.ts';
import type { Caller, Endpoint, Owner } from '../http/endpoint.ts';
import { openApiDocument } from '../http/openapi.ts';
import { createServer, type HttpServer } from '../http/server.ts';
import { consoleDocument } from '../http/session-api/console-document.ts';
import type { Knowledge } from '../knowledge/feature.ts';
import type { Facts } from '../lookups/facts.ts';
import { createMcpProtocol } from '../mcp/mcp-protocol.ts';
import { isUntrusted } from '../net/dns/dns.ts';
import type { JobStatus } from '../platform/jobs.ts';
import { lazily } from '../platform/lazily.ts';
import { readExamples, referencePages } from '../reference/reference.ts';
import { version } from '../version.ts';
import { createDiagnose } from './diagnostics.ts';
import { createFeatures, type Features } from './features.ts';
import { createMetrics, unwrittenEntries } from './metrics.ts';
import { type RunningFeatures, runFeatures } from './run-features.ts';

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
  /** An account as a caller without a key, for commands; null when it does not exist. */
  callerOf(owner: Owner): Caller | null | Promise<Caller | null>;
  /** Creates the account and keys of an empty database; null when it is not empty. */
  createFirstAccount(): Promise<FirstAccount | null>;
  /** Creates a gate in each environment of that account; none when its plan has no Gates. */
  createFirstGates(first: FirstAccount): Promise<readonly FirstGate[]>;
  /** A sign-in link for the first user; null once a user has signed in. */
  inviteFirstUser(): Promise<Invitation | null>;
  /** Accepts no more requests, finishes those in progress, flushes buffers and closes the storage. */
  close(): Promise<void>;
}

/** The log, clocks and overrides that the process passes to the service besides its configuration. */
export interface AppOptions {
  readonly log: Logger;
  readonly now: () => number;
  /** Measures spans of time and never goes back; `performance.now` by default. */
  readonly monotonicMs?: () => number;
  readonly siblings?: Siblings;
  /** The folder of the console's built pages; beside package.json by default. */
  readonly consoleFolder?: string;
  /** The cost of password hashes; the usual one by default. */
  readonly hashCost?: HashCost;
  /** Shortens the pauses of all jobs; by default they are as declared. */
  readonly maxJobPauseMs?: number;
  /** Facts to use in place of querying the network. */
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

async function assemble(given: Shared, plans: ReadonlyMap<string, Plan>, options: AppOptions): Promise<App> {
  const { consoleFolder = builtConsole, hashCost, facts } = options;
  const features = await createFeatures(given, { plans, consoleFolder, hashCost, facts });
  const { shared, accounts, knowledge, gates, traffic, waves, console } = features;
  const { maxJobPauseMs: maxPauseMs } = options;
  const running = runFeatures(shared, features.all, maxPauseMs === undefined ? {} : { maxPauseMs });
  const endpoints = features.all.flatMap(({ endpoints: served = [] }) => served);
  const openapi = lazily(() => openApiDocument(endpoints, version, readExamples()));
  const server = createAppServer(features, running, { endpoints, openapi, consoleFolder });
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
    callerOf: accounts.callerOf,
    createFirstAccount: accounts.createFirstAccount,
    createFirstGates: async ({ account }) =>
      plans.get(account.planId)?.pro === true ? gates.createFirst(account.id) : [],
    inviteFirstUser: console.inviteFirst,
    async close() {
      await server.close();
      await running.close();
      await shared.db.close();
    },
  };
}

interface Served {
  readonly endpoints: readonly Endpoint[];
  readonly openapi: () => object;
  readonly consoleFolder: string;
}

/** The server over all features. */
function createAppServer(features: Features, running: RunningFeatures, served: Served): HttpServer {
  const { all, shared, storage, accounts, knowledge, webhooks, hooks, console } = features;
  const { config, db, log, now } = shared;
  const { endpoints, openapi, consoleFolder } = served;
  return createServer({
    endpoints,
    admission: accounts.admission,
    log,
    metrics: createMetrics(all, running.jobMetrics.metrics),
    collect: shared.siblings?.collect,
    pages: [...referencePages(openapi, consoleFolder, config.mcp ? endpoints : []), formScript(consoleFolder)],
    openPaths: all.flatMap(({ openPaths = [] }) => openPaths),
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
      unwritten: () => unwrittenEntries(all),
      webhooks,
      hooks,
      mxCounts: features.mxCounts,
      secretKeysDiffer: storage.secretKeysDiffer,
      jobs: running.jobs,
      now,
    }),
    remarks: () => (isUntrusted(knowledge.network.dns) ? { dns: 'untrusted' } : {}),
  });
}
