import { Kysely, sql } from 'kysely';
import { Client, type CustomTypesConfig, DatabaseError, Pool, type PoolConfig, types } from 'pg';
import { errorMessage } from '../error-message.ts';
import { AppError } from '../errors.ts';
import type { Db, EngineDb } from './db.ts';
import { type Migration, migrate } from './migrate.ts';
import { postgresDialect } from './postgres-driver.ts';
import type { Schema } from './schema.ts';

/** How long a server may take to accept a new connection. */
interface ConnectTimeouts {
  readonly connectMs: number;
  /** The same, for a connection that only probes whether the server is up. */
  readonly probeMs: number;
}

/** A request fails soon; a start waits for a busy server. */
const defaultTimeouts: ConnectTimeouts = { connectMs: 1_500, probeMs: 700 };
const startTimeoutMs = 20_000;
const longestTimeoutS = 60;
const suspectAfterMs = 1_000;
const statementTimeoutMs = 30_000;

/** Opens the PostgreSQL at `url` and brings its schema up to date. */
export async function openPostgres(url: string, migrations: readonly Migration[]): Promise<EngineDb> {
  const { connectMs, probeMs } = timeoutsOf(url);
  await runMigrations(url, migrations);
  const pool = openPool(url, 10, connectMs);
  const db = new Kysely<Schema>({
    dialect: postgresDialect({
      pool,
      suspectAfterMs,
      probe: () => probe(url, probeMs),
      answerTimeoutMs: statementTimeoutMs + 5_000,
    }),
  });
  const transaction: Db['transaction'] = (work) => db.transaction().execute(work);
  return {
    engine: 'postgres',
    read: db,
    readCompiled: async (query) => (await db.executeQuery(query)).rows,
    blocksWhileReading: false,
    snapshot: (work) =>
      db.transaction().execute(async (trx) => {
        await sql`set transaction isolation level repeatable read, read only`.execute(trx);
        return work(trx);
      }),
    write: db,
    transaction,
    background: { write: db, transaction },
    async ping() {
      await sql`select 1`.execute(db);
    },
    async backup() {
      throw new Error('a PostgreSQL database is backed up with pg_dump, not from here');
    },
    async scrub() {},
    async vacuum() {},
    async fsync() {},
    async sizes() {
      const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db);
      return { databaseBytes: rows[0]?.bytes ?? 0, logBytes: null, freeBytes: null };
    },
    async close() {
      await db.destroy();
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}

/** `connect_timeout` in the URL is the seconds to wait for a connection, as in PostgreSQL's own programs. */
function timeoutsOf(url: string): ConnectTimeouts {
  const given = new URL(url).searchParams.get('connect_timeout');
  if (given === null) return defaultTimeouts;
  const seconds = /^\d+$/.test(given) ? Number(given) : 0;
  if (seconds < 1 || seconds > longestTimeoutS)
    throw new Error(`connect_timeout in the URL of PostgreSQL must be 1 to ${longestTimeoutS} seconds`);
  return { connectMs: seconds * 1_000, probeMs: seconds * 500 };
}

/** On a separate connection without a limit on the time. */
async function runMigrations(url: string, migrations: readonly Migration[]): Promise<void> {
  const waitMs = Math.max(startTimeoutMs, timeoutsOf(url).connectMs);
  const db = new Kysely<Schema>({
    dialect: postgresDialect({
      pool: openPool(url, 1, waitMs),
      suspectAfterMs,
      probe: () => probe(url, waitMs),
      answerTimeoutMs: Number.POSITIVE_INFINITY,
    }),
  });
  try {
    await sql`select 1`.execute(db).catch((error: unknown) => {
      throw cannotOpen(url, error);
    });
    await migrate(db, 'postgres', migrations);
  } finally {
    await db.destroy();
  }
}

/** Names the server and the database, never the password. */
function cannotOpen(url: string, error: unknown): Error {
  const { host, pathname } = new URL(url);
  const message = `cannot open the PostgreSQL at ${host}${pathname}; check its URL and that the server runs`;
  return error instanceof AppError
    ? new AppError(error.code, { message, cause: error.cause })
    : new Error(`${message}: ${errorMessage(error)}`, { cause: error });
}

function openPool(url: string, max: number, timeoutMs: number): Pool {
  const pool = new Pool({
    ...connectionConfig(url, timeoutMs),
    max,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    types: numbersForBigIntegers,
  });
  // Without a listener, losing an idle connection, or one between two statements, would end the process.
  // The next query on the connection reports the loss, and the pool drops it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

function connectionConfig(url: string, timeoutMs: number): PoolConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    application_name: 'signalpost',
  };
}

/** Parses BIGINT, and the NUMERIC of its sums, as numbers, as SQLite does: counts and times stay far below 2^53. */
const numbersForBigIntegers: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
      ? (value: string) => Number(value)
      : types.getTypeParser(oid, format),
};

/** Rejects when the server cannot be reached; one that answers "too many connections" is up. */
async function probe(url: string, timeoutMs: number): Promise<void> {
  const client = new Client(connectionConfig(url, timeoutMs));
  // The outcome of `connect` reports the same error.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const isUp = error instanceof DatabaseError && !error.code?.startsWith('57P');
    if (!isUp) throw error;
  } finally {
    client.end().catch(() => {});
  }
}
