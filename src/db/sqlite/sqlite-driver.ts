import type { DatabaseSync } from 'node:sqlite';
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
import { resumeLowPriority } from '../../platform/low-priority.ts';
import { createLoopGuard } from '../../platform/yielding.ts';
import type { Mutex } from '../mutex.ts';
import { isSqliteBusy, storageError } from '../storage-errors.ts';
import { createStatements } from './sqlite-statements.ts';

const busyPauseMs = 10;

export interface SqliteDriverOptions {
  readonly database: DatabaseSync;
  /** Only its holder uses the connection, so no other request enters an awaited transaction. */
  readonly mutex: Mutex;
  readonly begin: 'begin immediate' | 'begin';
  /** How long to wait, without blocking the process, for another process to release the write lock. */
  readonly busyTimeoutMs: number;
  /** Whether a commit waits until it is on the disk; true by default. */
  readonly waitsForDisk?: boolean;
}

/** Kysely's SQLite dialect over a connection of `node:sqlite`. */
export function sqliteDialect(options: SqliteDriverOptions): Dialect {
  return {
    createDriver: () => createDriver(options),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new UnlockedAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Kysely's own mutex wakes every waiter at each release; the driver's wakes one. */
class UnlockedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

function createDriver({ database, mutex, begin, busyTimeoutMs, waitsForDisk = true }: SqliteDriverOptions): Driver {
  const connection = createConnection(database, busyTimeoutMs);
  const statement = async (sql: string): Promise<void> => {
    await connection.run(sql, []);
  };
  let releaseConnection: () => void = () => {};
  return {
    async init() {},
    async acquireConnection() {
      const release = await mutex.acquire();
      resumeLowPriority();
      const restoreFsync = waitsForDisk ? () => {} : deferFsync(database);
      releaseConnection = () => {
        restoreFsync();
        release();
      };
      return connection;
    },
    async releaseConnection() {
      releaseConnection();
    },
    beginTransaction: () => statement(begin),
    commitTransaction: () => statement('commit'),
    async rollbackTransaction() {
      // A full disk or an I/O error may have rolled the transaction back already (https://sqlite.org/lang_transaction.html).
      if (database.isTransaction) await statement('rollback');
    },
    async destroy() {
      const release = await mutex.acquire();
      database.close();
      release();
    },
  };
}

/**
 * Makes commits return before they are on the disk, until the returned function is called. They are in the log in order all the
 * same, and survive the process (https://sqlite.org/pragma.html#pragma_synchronous).
 */
export function deferFsync(database: DatabaseSync): () => void {
  database.exec('pragma synchronous = normal');
  return () => database.exec('pragma synchronous = full');
}

interface SqliteConnection extends DatabaseConnection {
  run<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>>;
}

function createConnection(database: DatabaseSync, busyTimeoutMs: number): SqliteConnection {
  const execute = createStatements(database);
  // Statements run on the main thread: the event loop runs in between, also inside a transaction.
  const yieldWhenDue = createLoopGuard();
  const run = async <R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> => {
    const pause = yieldWhenDue();
    if (pause !== null) await pause;
    const deadlineMs = performance.now() + busyTimeoutMs;
    for (;;) {
      try {
        return execute<R>({ sql, parameters });
      } catch (error) {
        const mayWait = isSqliteBusy(error) && !database.isTransaction && performance.now() < deadlineMs;
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
