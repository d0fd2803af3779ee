import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { boundedMap } from '../memory/bounded-map.ts';
import { createBreather } from '../time/breather.ts';
import { isSqliteBusy, storageError } from './storage-errors.ts';
import type { Turn } from './turn.ts';

const cachedStatements = 256;
const busyPauseMs = 10;
/** Statements run on the main thread: after this long of them other requests are looked at, also inside a transaction. */
const sliceMs = 8;

/** How one SQLite connection is used by Kysely. */
export interface SqliteDriverOptions {
  readonly database: DatabaseSync;
  /** Only the holder of the turn uses the connection, so an awaited transaction is never entered by another request. */
  readonly turn: Turn;
  readonly begin: 'begin immediate' | 'begin';
  /** How long to wait, without blocking the process, for another process to let go of the write lock. */
  readonly busyTimeoutMs: number;
}

/** Kysely's SQLite dialect over a connection of `node:sqlite`. */
export function sqliteDialect(options: SqliteDriverOptions): Dialect {
  return {
    createDriver: () => createDriver(options),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ManyTakersAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Kysely's own mutex wakes every waiter at each release; the driver's turn wakes one. */
class ManyTakersAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

function createDriver({ database, turn, begin, busyTimeoutMs }: SqliteDriverOptions): Driver {
  const connection = createConnection(database, busyTimeoutMs);
  const statement = async (sql: string): Promise<void> => {
    await connection.run(sql, []);
  };
  let endTurn: () => void = () => {};
  return {
    async init() {},
    async acquireConnection() {
      endTurn = await turn.take();
      return connection;
    },
    async releaseConnection() {
      endTurn();
    },
    beginTransaction: () => statement(begin),
    commitTransaction: () => statement('commit'),
    async rollbackTransaction() {
      // A full disk or an I/O error may have rolled the transaction back already (https://sqlite.org/lang_transaction.html).
      if (database.isTransaction) await statement('rollback');
    },
    async destroy() {
      const end = await turn.take();
      database.close();
      end();
    },
  };
}

interface SqliteConnection extends DatabaseConnection {
  run<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>>;
}

function createConnection(database: DatabaseSync, busyTimeoutMs: number): SqliteConnection {
  const statements = boundedMap<string, Prepared>(cachedStatements);
  const prepared = (sql: string): Prepared => {
    const known = statements.get(sql);
    if (known) return known;
    const fresh = prepare(database, sql);
    statements.set(sql, fresh);
    return fresh;
  };
  const breather = createBreather(sliceMs);
  const run = async <R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> => {
    const pause = breather();
    if (pause !== null) await pause;
    const giveUpAt = performance.now() + busyTimeoutMs;
    for (;;) {
      try {
        return execute<R>(prepared(sql), parameters);
      } catch (error) {
        const mayWait = isSqliteBusy(error) && !database.isTransaction && performance.now() < giveUpAt;
        if (!mayWait) throw storageError(error);
      }
      await sleep(busyPauseMs);
    }
  };
  return {
    run,
    executeQuery: (query: CompiledQuery) => run(query.sql, query.parameters),
    async *streamQuery<R>(query: CompiledQuery): AsyncGenerator<QueryResult<R>> {
      yield await run<R>(query.sql, query.parameters);
    },
  };
}

interface Prepared {
  readonly statement: StatementSync;
  readonly columns: readonly string[];
}

function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql);
  const columns = statement.columns().map((column) => column.name);
  // Arrays are read at twice the speed of the null-prototype objects that node:sqlite makes otherwise.
  if (columns.length > 0) statement.setReturnArrays(true);
  return { statement, columns };
}

function execute<R>({ statement, columns }: Prepared, parameters: readonly unknown[]): QueryResult<R> {
  const values = parameters as SQLInputValue[];
  if (columns.length === 0) {
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }
  const rows = statement.all(...values) as unknown as unknown[][];
  return { rows: rows.map((row) => toObject(columns, row)) as R[] };
}

function toObject(columns: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  columns.forEach((column, index) => {
    object[column] = row[index];
  });
  return object;
}
