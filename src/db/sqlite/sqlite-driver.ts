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
import { createLoopGuard } from '../../platform/yielding.ts';
import { isSqliteBusy, storageError } from '../storage-errors.ts';
import type { Turn } from '../turn.ts';
import { createStatements } from './sqlite-statements.ts';

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
  /** Whether a commit is on the disk when it is done; yes unless said otherwise. */
  readonly waitsForDisk?: boolean;
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

function createDriver({ database, turn, begin, busyTimeoutMs, waitsForDisk = true }: SqliteDriverOptions): Driver {
  const connection = createConnection(database, busyTimeoutMs);
  const statement = async (sql: string): Promise<void> => {
    await connection.run(sql, []);
  };
  let endTurn: () => void = () => {};
  return {
    async init() {},
    async acquireConnection() {
      const end = await turn.take();
      const waitAgain = waitsForDisk ? () => {} : doNotWaitForDisk(database);
      endTurn = () => {
        waitAgain();
        end();
      };
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

/**
 * Lets the commits of a writer be written to the disk later, until the function that it gives back is called. What was committed
 * is in the log nevertheless, in order, whatever becomes of the process (https://sqlite.org/pragma.html#pragma_synchronous).
 */
export function doNotWaitForDisk(database: DatabaseSync): () => void {
  database.exec('pragma synchronous = normal');
  return () => database.exec('pragma synchronous = full');
}

interface SqliteConnection extends DatabaseConnection {
  run<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>>;
}

function createConnection(database: DatabaseSync, busyTimeoutMs: number): SqliteConnection {
  const execute = createStatements(database);
  const yieldWhenDue = createLoopGuard(sliceMs);
  const run = async <R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> => {
    const pause = yieldWhenDue();
    if (pause !== null) await pause;
    const giveUpAt = performance.now() + busyTimeoutMs;
    for (;;) {
      try {
        return execute<R>({ sql, parameters });
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
