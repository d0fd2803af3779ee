import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { AppError } from '../errors.ts';
import { storageError } from './storage-errors.ts';

/** How the driver tells a slow query from a server that is gone. */
export interface PostgresDriverOptions {
  readonly pool: Pool;
  /** After this time without an answer the server is asked whether it is there. */
  readonly suspectAfterMs: number;
  /** Rejects when the server does not answer a new connection either. */
  readonly probe: () => Promise<void>;
  /** Longest wait for one answer, though the server is there. */
  readonly answerTimeoutMs: number;
}

/** Kysely's PostgreSQL dialect over a pool of `pg`, with failures of the server as `service_unavailable`. */
export function postgresDialect(options: PostgresDriverOptions): Dialect {
  return {
    createDriver: () => createDriver(options),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

class Connection implements DatabaseConnection {
  readonly client: PoolClient;
  readonly #options: PostgresDriverOptions;
  /** Set once an answer may still be under way: the next user of this connection would get it for its own. */
  failure: unknown;

  constructor(client: PoolClient, options: PostgresDriverOptions) {
    this.client = client;
    this.#options = options;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.run(query.sql, [...query.parameters]);
    return { rows: rows as R[], ...(command === 'SELECT' ? {} : { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncGenerator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  async run(text: string, values: unknown[] = []) {
    if (this.failure !== undefined) throw this.failure;
    const { promise: gone, reject } = Promise.withResolvers<never>();
    const stopWatching = watch(this.#options, (cause) => reject(new AppError('service_unavailable', { cause })));
    try {
      return await Promise.race([this.client.query(text, values), gone]);
    } catch (error) {
      const failure = storageError(error);
      if (failure instanceof AppError) this.failure = failure;
      throw failure;
    } finally {
      stopWatching();
    }
  }
}

/** Asks, as long as an answer is outstanding, whether the server is there at all. */
function watch(options: PostgresDriverOptions, onGone: (cause: unknown) => void): () => void {
  const startedAt = performance.now();
  const check = (): void => {
    if (performance.now() - startedAt >= options.answerTimeoutMs) onGone(new Error('the database does not answer'));
    else options.probe().then(again, onGone);
  };
  let watching = true;
  let timer = setTimeout(check, options.suspectAfterMs);
  const again = (): void => {
    if (watching) timer = setTimeout(check, options.suspectAfterMs);
  };
  return () => {
    watching = false;
    clearTimeout(timer);
  };
}

/**
 * A request that comes while the server is known to be away waits for the answer to one short question, not for a connection of
 * their own: a server that keeps silent would cost each of them the whole time a connection is given.
 */
function watchServer(options: PostgresDriverOptions): PostgresDriverOptions & { reachable(): Promise<void> } {
  let isAway = false;
  let asking: Promise<void> | null = null;
  const ask = async (): Promise<void> => {
    try {
      await options.probe();
      isAway = false;
    } catch (cause) {
      isAway = true;
      throw new AppError('service_unavailable', { cause });
    } finally {
      asking = null;
    }
  };
  const probe = (): Promise<void> => {
    asking ??= ask();
    return asking;
  };
  return {
    ...options,
    probe,
    async reachable() {
      if (!isAway) return;
      // A question that was under way before may tell of a moment that is over.
      await asking?.catch(() => {});
      if (isAway) await probe();
    },
  };
}

function createDriver(given: PostgresDriverOptions): Driver {
  const options = watchServer(given);
  const ours = (connection: DatabaseConnection): Connection => {
    if (connection instanceof Connection) return connection;
    throw new TypeError('not a connection of this driver');
  };
  return {
    async init() {},
    async acquireConnection() {
      try {
        await options.reachable();
        return new Connection(await options.pool.connect(), options);
      } catch (error) {
        const failure = storageError(error);
        // Only a question of its own tells a server that is gone from a pool that is busy.
        if (failure instanceof AppError) options.probe().catch(() => {});
        throw failure;
      }
    },
    async releaseConnection(connection) {
      ours(connection).client.release(ours(connection).failure !== undefined);
    },
    async beginTransaction(connection) {
      await ours(connection).run('begin');
    },
    async commitTransaction(connection) {
      // COMMIT of a transaction in which a statement failed succeeds as a ROLLBACK.
      if ((await ours(connection).run('commit')).command === 'ROLLBACK') throw new AbortedTransactionError();
    },
    async rollbackTransaction(connection) {
      // A connection that failed is thrown away, and its transaction with it.
      if (ours(connection).failure === undefined) await ours(connection).run('rollback');
    },
    async destroy() {
      await options.pool.end();
    },
  };
}
