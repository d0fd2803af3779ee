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
import { resumeLowPriority } from '../platform/low-priority.ts';
import { storageError } from './storage-errors.ts';

/** How the driver distinguishes a slow query from a server that is down. */
export interface PostgresDriverOptions {
  readonly pool: Pool;
  /** After this time without a response the driver probes the server. */
  readonly suspectAfterMs: number;
  /** Rejects when the server does not accept a new connection either. */
  readonly probe: () => Promise<void>;
  /** Longest wait for one response, though the server is up. */
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
  /** Set once a response may still arrive: the connection's next user would take it for its own. */
  failure: unknown;

  constructor(client: PoolClient, options: PostgresDriverOptions) {
    this.client = client;
    this.#options = options;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.run(query.sql, [...query.parameters]);
    resumeLowPriority();
    return { rows: rows as R[], ...(command === 'SELECT' ? {} : { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncGenerator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  async run(text: string, values: unknown[] = []) {
    if (this.failure !== undefined) throw this.failure;
    const { promise: down, reject } = Promise.withResolvers<never>();
    const stopWatching = watch(this.#options, (cause) => reject(new AppError('service_unavailable', { cause })));
    try {
      return await Promise.race([this.client.query(text, values), down]);
    } catch (error) {
      const failure = storageError(error);
      if (failure instanceof AppError) this.failure = failure;
      throw failure;
    } finally {
      stopWatching();
    }
  }
}

/** Probes the server while a response is outstanding. */
function watch(options: PostgresDriverOptions, onDown: (cause: unknown) => void): () => void {
  const startedAt = performance.now();
  const check = (): void => {
    if (performance.now() - startedAt >= options.answerTimeoutMs) onDown(new Error('the database does not answer'));
    else options.probe().then(again, onDown);
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
 * While the server is known to be down, requests wait for one shared probe, not each for a connection: a silent server would
 * cost each of them the whole connect timeout.
 */
function watchServer(options: PostgresDriverOptions): PostgresDriverOptions & { reachable(): Promise<void> } {
  let isDown = false;
  let probing: Promise<void> | null = null;
  const startProbe = async (): Promise<void> => {
    try {
      await options.probe();
      isDown = false;
    } catch (cause) {
      isDown = true;
      throw new AppError('service_unavailable', { cause });
    } finally {
      probing = null;
    }
  };
  const probe = (): Promise<void> => {
    probing ??= startProbe();
    return probing;
  };
  return {
    ...options,
    probe,
    async reachable() {
      if (!isDown) return;
      // A probe that started before this call may report an earlier state.
      await probing?.catch(() => {});
      if (isDown) await probe();
    },
  };
}

function createDriver(given: PostgresDriverOptions): Driver {
  const options = watchServer(given);
  const own = (connection: DatabaseConnection): Connection => {
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
        // Only a probe distinguishes a server that is down from a pool that is busy.
        if (failure instanceof AppError) options.probe().catch(() => {});
        throw failure;
      }
    },
    async releaseConnection(connection) {
      own(connection).client.release(own(connection).failure !== undefined);
    },
    async beginTransaction(connection) {
      await own(connection).run('begin');
    },
    async commitTransaction(connection) {
      // COMMIT of a transaction in which a statement failed succeeds as a ROLLBACK.
      if ((await own(connection).run('commit')).command === 'ROLLBACK') throw new AbortedTransactionError();
    },
    async rollbackTransaction(connection) {
      // A failed connection is discarded with its transaction.
      if (own(connection).failure === undefined) await own(connection).run('rollback');
    },
    async destroy() {
      await options.pool.end();
    },
  };
}
