import type { CompiledQuery, Kysely, Transaction } from 'kysely';
import type { Engine } from './migrate.ts';
import { allMigrations } from './migrations/all.ts';
import type { Schema } from './schema.ts';

/** The one way to the storage; stores are written against it and run on both engines. */
export interface Db {
  readonly engine: Engine;
  /** For queries that change nothing. SQLite: a connection of its own, so a read never waits for a write. */
  readonly read: Kysely<Schema>;
  /** The rows of a query that was compiled once. SQLite has them without a promise: a dozen of those take longer than the query. */
  readAtOnce<Row>(query: CompiledQuery<Row>): Row[] | Promise<Row[]>;
  /** Whether a long query blocks this process: SQLite runs on its main thread. */
  readonly blocksWhileReading: boolean;
  /** Runs queries that all see the database as it was at one moment, and change nothing. */
  snapshot<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T>;
  /** For single statements that change something. SQLite: the one writer, in turns. */
  readonly write: Kysely<Schema>;
  /** Runs the work as all or nothing. What it returns is durable; inside it only `trx` may be used. */
  transaction<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T>;
  /**
   * For what nobody waits for: counts, logs, removal of what is old. A killed process loses nothing of what is done, a machine
   * without power what was not settled yet: SQLite does not wait for the disk then, and everybody with it. PostgreSQL
   * waits elsewhere, so there it is as durable as the rest.
   */
  readonly background: Pick<Db, 'write' | 'transaction'>;
  /** Throws `service_unavailable` when the storage is away. */
  ping(): Promise<void>;
  /** Writes a consistent copy to a file that must not exist, while the service runs. Embedded database only. */
  backup(file: string): Promise<void>;
  /** Leaves nothing of removed rows in the files. PostgreSQL does so by itself, when it vacuums. */
  scrub(): Promise<void>;
  /** Returns room that became free to the disk, a little at a time until `ended`. PostgreSQL sees to that itself. */
  giveBackSpace(ended: AbortSignal): Promise<void>;
  /** Brings what was written in the background onto the disk, and nobody waits for it. PostgreSQL sees to that itself. */
  settle(): Promise<void>;
  /** Bytes on the disk. */
  sizes(): Promise<StorageSizes>;
  close(): Promise<void>;
}

/** What the storage takes on the disk; what only the embedded database has is null elsewhere. */
export interface StorageSizes {
  readonly databaseBytes: number;
  /** The write-ahead log beside the file. */
  readonly logBytes: number | null;
  /** Room inside the file that holds nothing. */
  readonly freeBytes: number | null;
}

/** Where the storage is: `url` names a PostgreSQL, without one it is a file in `dataDir`. */
export interface DatabaseOptions {
  readonly url: string | null;
  readonly dataDir: string;
}

/** Opens the database and brings its schema up to date. */
export async function openDatabase({ url, dataDir }: DatabaseOptions): Promise<Db> {
  // Only the engine in use is loaded: a start is quicker for it.
  if (url === null) return (await import('./sqlite/sqlite.ts')).openSqlite(dataDir, allMigrations);
  return (await import('./postgres.ts')).openPostgres(url, allMigrations);
}
