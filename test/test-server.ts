import { rmSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { Registry } from 'prom-client';
import { createAccounts } from '../src/accounts/accounts.ts';
import { createAccountsStore } from '../src/accounts/accounts-store.ts';
import { createAdmission } from '../src/accounts/admission.ts';
import { anonymousWindow, createAnonymous } from '../src/accounts/anonymous.ts';
import { type Credits, createCredits } from '../src/accounts/credits/credits.ts';
import { createUsageStore } from '../src/accounts/credits/usage-store.ts';
import { createHintLimits } from '../src/accounts/hint-limits.ts';
import { createIpBlock } from '../src/accounts/ip-block.ts';
import { createKeyCache } from '../src/accounts/key-cache.ts';
import { createKeys } from '../src/accounts/keys.ts';
import { createKeysStore } from '../src/accounts/keys-store.ts';
import type { Plan } from '../src/accounts/plans.ts';
import { statusEndpoints } from '../src/accounts/status-endpoints.ts';
import { createThroughputLimiter } from '../src/accounts/throughput.ts';
import { type DatabaseOptions, type Db, openDatabase } from '../src/db/db.ts';
import type { Admission } from '../src/http/admission.ts';
import type { Environment } from '../src/http/endpoint.ts';
import { openApiDocument } from '../src/http/openapi.ts';
import { createServer, type HttpServer, type ServerOptions } from '../src/http/server.ts';
import { createSlidingWindow, type NamedWindow } from '../src/platform/sliding-window.ts';
import { referencePages } from '../src/reference/reference.ts';
import { sqliteDatabase } from './engines.ts';
import { type InjectedRequest, inject, type Response } from './inject.ts';
import { type RequestOptions, type TestClock, testClock } from './start-app.ts';
import { testEndpoints, type Work } from './test-endpoints.ts';
import { tester } from './tester.ts';

/** Overrides of the defaults. */
export interface TestServerOptions extends Partial<ServerOptions> {
  readonly database?: DatabaseOptions;
  readonly clock?: TestClock;
  readonly work?: Work;
  readonly ipBlockAfter?: number;
  readonly ipBlockLoopback?: boolean;
  readonly anonymousPerHour?: number;
}

/** The real HTTP layer and the real admission over test endpoints and plans. */
export interface TestServer {
  readonly server: HttpServer;
  readonly clock: TestClock;
  readonly credits: Credits;
  readonly db: Db;
  /** Creates a key of a new account on its own plan: by default Pro, 1,000 credits, 1,000 requests per second. */
  createKey(plan?: Partial<Plan>, options?: { overage?: boolean; environment?: Environment }): Promise<string>;
  request<T = unknown>(method: InjectedRequest['method'], path: string, options?: RequestOptions): Promise<Response<T>>;
  /** Starts to listen; returns the port. */
  listen(): Promise<number>;
  close(): Promise<void>;
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const clock = options.clock ?? testClock(Date.UTC(2026, 10, 15));
  const { now, monotonicMs } = clock;
  const database = options.database ?? sqliteDatabase();
  const db = await openDatabase(database);
  const plans = new Map<string, Plan>();
  const credits = createCredits(createUsageStore(db), now);
  const after = options.ipBlockAfter ?? 100;
  const throughput = createThroughputLimiter(monotonicMs);
  const countWindow = (window: NamedWindow) => createSlidingWindow(window, monotonicMs);
  const { anonymousPerHour = 0 } = options;
  const admission: Admission = createAdmission({
    keys: createKeyCache(createKeysStore(db), plans, monotonicMs, now),
    throughput,
    credits,
    ipBlock: createIpBlock({
      after,
      loopback: options.ipBlockLoopback ?? false,
      exemptsPrivate: (options.trustProxy ?? null) === null,
      monotonicMs,
      onBlocked: () => {},
      onExempted: () => {},
    }),
    takeAnonymous: createAnonymous(anonymousPerHour, countWindow(anonymousWindow(anonymousPerHour))),
    takeHint: createHintLimits({
      perMinute: 20,
      perHour: 100,
      exemptsPrivate: false,
      countWindow,
      throughput,
      onExempted() {},
    }),
  });
  const endpoints = options.endpoints ?? [...statusEndpoints(credits), ...testEndpoints(options.work)];
  const server = createServer({
    admission,
    log: silentLog,
    metrics: new Registry(),
    pages: referencePages(() => openApiDocument(endpoints, '0.0.0'), 'console/dist'),
    publicUrl: null,
    allowedHosts: [],
    allowKeyInQuery: false,
    trustProxy: null,
    metricsToken: null,
    accessLog: false,
    accountCpuPercent: 25,
    now,
    monotonicMs,
    ready: () => db.ping(),
    remarks: () => ({}),
    diagnose: async () => ({}),
    ...options,
    endpoints,
  });
  return {
    server,
    clock,
    credits,
    db,
    async createKey(wanted = {}, { overage = false, environment = 'production' } = {}) {
      const plan = { ...usualPlan, ...wanted, id: `plan-${plans.size}` };
      plans.set(plan.id, plan);
      const accounts = createAccounts(createAccountsStore(db), plans, now, tester);
      const account = await accounts.create({ name: 'Jane Doe', email: 'jane@example.com', planId: plan.id });
      if (overage) await accounts.setOverage(account.id, true);
      const keys = createKeys(createKeysStore(db), now, () => {}, tester);
      return (await keys.create({ accountId: account.id, environment, name: null })).key;
    },
    request: (method, path, request = {}) => inject(server, { method, path, ...request }),
    async listen() {
      return Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
    },
    async close() {
      await server.close();
      await db.close();
      rmSync(database.dataDir, { recursive: true, force: true });
    },
  };
}

const usualPlan: Plan = { id: '', name: 'Made up', pro: true, credits: 1_000, rateLimit: 1_000, blocklistEntries: 0 };
const silentLog: Logger = pino({ level: 'silent' });
