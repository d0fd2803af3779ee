import { rmSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { type Accounts, createAccounts } from '../src/accounts/accounts.ts';
import { createAccountsStore } from '../src/accounts/accounts-store.ts';
import { environments } from '../src/accounts/key-text/key-format.ts';
import { createKeys, type Keys } from '../src/accounts/keys.ts';
import { createKeysStore } from '../src/accounts/keys-store.ts';
import { loadPlans } from '../src/accounts/plans.ts';
import { type App, createApp } from '../src/app/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { type DatabaseOptions, type Db, openDatabase } from '../src/db/db.ts';
import type { Environment } from '../src/http/endpoint.ts';
import { documentedResponses } from './documented-responses.ts';
import { sqliteDatabase } from './engines.ts';
import { type InjectedRequest, inject, type Response } from './inject.ts';
import { shareSnapshot } from './shared-snapshot.ts';
import { tester } from './tester.ts';

/** A hash at the usual cost takes as long as most tests. */
const lowHashCost = { logN: 4, r: 8, p: 1 };

/** Compiled once for all services of a process, because they have the same document. */
let documented: ReturnType<typeof documentedResponses> | undefined;

/** The wall clock and the monotonic clock; both stop unless the test moves them. */
export interface TestClock {
  now(): number;
  monotonicMs(): number;
  /** Sets only the wall clock, also back. */
  set(epochMs: number): void;
  /** Advances both clocks. */
  advance(ms: number): void;
}

/** A test account with a key per environment. */
export interface TestAccount {
  readonly id: string;
  readonly keys: Readonly<Record<Environment, string>>;
}

/** The whole service without a port, and a second connection to its database, as the CLI has. */
export interface StartedApp {
  readonly app: App;
  readonly config: Config;
  readonly clock: TestClock;
  /** The account of the first start (plan `self-hosted`). */
  readonly first: TestAccount;
  readonly keys: TestAccount['keys'];
  /** Another process's view of the same database. */
  readonly db: Db;
  readonly operator: { readonly accounts: Accounts; readonly keys: Keys };
  createAccount(options?: { plan?: string; overage?: boolean }): Promise<TestAccount>;
  request<T = unknown>(method: InjectedRequest['method'], path: string, options?: RequestOptions): Promise<Response<T>>;
  close(): Promise<void>;
}

/** Options of a request; `key` becomes its `Authorization` header. */
export type RequestOptions = Omit<InjectedRequest, 'method' | 'path'>;

/** Overrides of the defaults. */
export interface StartOptions {
  readonly database?: DatabaseOptions;
  readonly log?: Logger;
  readonly nowMs?: number;
  /** Real time, for tests with servers; otherwise a stopped clock. */
  readonly clock?: TestClock;
  /** A key of the database, if it was used before. */
  readonly existing?: string;
  /** Hashes passwords at the cost of production. */
  readonly hashesAtUsualCost?: boolean;
  /** Shortens the pauses of all jobs, for tests that wait for several of them. */
  readonly maxJobPauseMs?: number;
  /** The built pages of the console. */
  readonly consoleFolder?: string;
}

/** Builds the service on an empty database: `OFFLINE=true`, no log, and the given environment variables. */
export async function startApp(variables: NodeJS.ProcessEnv = {}, options: StartOptions = {}): Promise<StartedApp> {
  const database = options.database ?? sqliteDatabase();
  shareSnapshot(database.dataDir);
  const config = readConfig({
    OFFLINE: 'true',
    LISTS_REFRESH: 'off',
    DATA_DIR: database.dataDir,
    ...(database.url === null ? {} : { DATABASE_URL: database.url }),
    ...variables,
  });
  const clock = options.clock ?? testClock(options.nowMs ?? Date.now());
  const { now, monotonicMs } = clock;
  const { log = pino({ level: 'silent' }), consoleFolder = '/no-console' } = options;
  const app = await createApp(config, {
    log,
    now,
    monotonicMs,
    consoleFolder,
    ...(options.hashesAtUsualCost ? {} : { hashCost: lowHashCost }),
    ...(options.maxJobPauseMs !== undefined && { maxJobPauseMs: options.maxJobPauseMs }),
  });
  const made = await app.createFirstAccount();
  if ((made === null) !== (options.existing !== undefined))
    throw new Error('the database of a test was not as expected');
  const db = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, secretKey: config.secretKey });
  const operator = {
    accounts: createAccounts(createAccountsStore(db), loadPlans(config.plansFile), now, tester),
    keys: createKeys(createKeysStore(db), now, () => {}, tester),
  };
  documented ??= documentedResponses(app.openapi);
  const mustBeDocumented = documented;
  const first = { id: made?.account.id ?? '', keys: keysByEnvironment(made?.keys ?? []) };
  return {
    app,
    config,
    clock,
    first,
    keys: first.keys,
    db,
    operator,
    createAccount: (wanted = {}) => createAccount(operator, wanted),
    async request<T>(method: InjectedRequest['method'], path: string, request: RequestOptions = {}) {
      const answer = await inject<T>(app.server, { method, path, ...request });
      mustBeDocumented(method, path, answer);
      return answer;
    },
    async close() {
      await app.close();
      await db.close();
      rmSync(config.dataDir, { recursive: true, force: true });
    },
  };
}

/** The machine's clocks; setting the wall clock shifts it. */
export function realClock(): TestClock {
  let shiftMs = 0;
  return {
    now: () => Date.now() + shiftMs,
    monotonicMs: () => performance.now(),
    set(epochMs) {
      shiftMs = epochMs - Date.now();
    },
    advance() {
      throw new Error('real time passes by itself');
    },
  };
}

/** Two stopped clocks that start at `startMs` and at zero. */
export function testClock(startMs: number): TestClock {
  let nowMs = startMs;
  let passedMs = 0;
  return {
    now: () => nowMs,
    monotonicMs: () => passedMs,
    set(epochMs) {
      nowMs = epochMs;
    },
    advance(ms) {
      nowMs += ms;
      passedMs += ms;
    },
  };
}

async function createAccount(
  { accounts, keys }: StartedApp['operator'],
  { plan = 'self-hosted', overage = false }: { plan?: string; overage?: boolean },
): Promise<TestAccount> {
  const { id } = await accounts.create({ name: 'Jane Doe', email: 'jane@example.com', planId: plan });
  if (overage) await accounts.setOverage(id, true);
  const made = [];
  for (const environment of environments) {
    const { key } = await keys.create({ accountId: id, environment, name: null });
    made.push({ environment, key });
  }
  return { id, keys: keysByEnvironment(made) };
}

function keysByEnvironment(made: readonly { environment: Environment; key: string }[]): TestAccount['keys'] {
  const keyOf = (environment: Environment): string => made.find((one) => one.environment === environment)?.key ?? '';
  return { production: keyOf('production'), staging: keyOf('staging'), development: keyOf('development') };
}
