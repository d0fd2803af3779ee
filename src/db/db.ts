import type { CompiledQuery, Kysely, Transaction } from 'kysely';
import { createDamagedBlocks, type DamagedBlocks } from './damaged-blocks.ts';
import type { Engine } from './migrate.ts';
import { allMigrations } from './migrations/all.ts';
import { hasMoveProgress } from './move-progress.ts';
import type { Schema } from './schema.ts';
import { createSecretBox, type SecretBox } from './secret-box.ts';

/** The storage port: stores are written against it and run on both engines. */
export interface Db {
  readonly engine: Engine;
  /** For queries that change nothing. SQLite: a separate connection, so a read never waits for a write. */
  readonly read: Kysely<Schema>;
  /** The rows of a compiled query. SQLite returns them without a promise: a dozen promises take longer than the query. */
  readCompiled<Row>(query: CompiledQuery<Row>): Row[] | Promise<Row[]>;
  /** Whether a long query blocks this process: SQLite runs on its main thread. */
  readonly blocksWhileReading: boolean;
  /** Runs queries that all see the database as it was at one moment, and change nothing. */
  snapshot<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T>;
  /** For single statements that change something. SQLite: one writer, one statement at a time. */
  readonly write: Kysely<Schema>;
  /** Runs the work as all or nothing. It is durable when the promise resolves; inside it only `trx` may be used. */
  transaction<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T>;
  /**
   * For writes that no request waits for: counts, logs, retention. They survive a killed process; a power failure loses
   * those since the last `fsync`, because SQLite does not wait for the disk, which would block every request. On PostgreSQL
   * they are as durable as the others.
   */
  readonly background: Pick<Db, 'write' | 'transaction'>;
  /** Encrypts secrets that backups must not reveal. */
  readonly secrets: SecretBox;
  readonly damagedBlocks: DamagedBlocks;
  /** Throws `service_unavailable` when the storage is unavailable. */
  ping(): Promise<void>;
  /** Writes a consistent copy to a file that must not exist, while the service runs. Embedded database only. */
  backup(file: string): Promise<void>;
  /** Overwrites the remains of removed rows in the files. PostgreSQL's own vacuum does so. */
  scrub(): Promise<void>;
  /** Returns free pages to the disk in small steps, until `ended` aborts. PostgreSQL vacuums by itself. */
  vacuum(ended: AbortSignal): Promise<void>;
  /** Syncs background writes to the disk without blocking others. PostgreSQL does so by itself. */
  fsync(): Promise<void>;
  /** Bytes on the disk. */
  sizes(): Promise<StorageSizes>;
  close(): Promise<void>;
}

/** The storage's bytes on the disk; null where only the embedded database has them. */
export interface StorageSizes {
  readonly databaseBytes: number;
  /** The write-ahead log beside the file. */
  readonly logBytes: number | null;
  /** Free pages inside the file. */
  readonly freeBytes: number | null;
}

/** Where the storage is: the PostgreSQL at `url`, or without one a file in `dataDir`. */
export interface DatabaseOptions {
  readonly url: string | null;
  readonly dataDir: string;
  /** For `move`, which may continue to fill a PostgreSQL; everything else refuses one that it has not finished. */
  readonly isMoveTarget?: boolean;
  /** The key of `secrets`; without one it is generated in `dataDir`. */
  readonly secretKey?: string | null;
}

/** The part of the database that differs between engines. */
export type EngineDb = Omit<Db, 'secrets' | 'damagedBlocks'>;

/** Opens the database and brings its schema up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<Db> {
  const { dataDir, secretKey = null } = options;
  return {
    ...(await openEngine(options)),
    secrets: createSecretBox(secretKey, dataDir),
    damagedBlocks: createDamagedBlocks(),
  };
}

/** Loads only the engine in use, which makes the start faster. */
async function openEngine({ url, dataDir, isMoveTarget = false }: DatabaseOptions): Promise<EngineDb> {
  if (url === null) return (await import('./sqlite/sqlite.ts')).openSqlite(dataDir, allMigrations);
  const db = await (await import('./postgres.ts')).openPostgres(url, allMigrations);
  if (isMoveTarget || !(await hasMoveProgress(db))) return db;
  await db.close();
  throw new Error(
    'the PostgreSQL at DATABASE_URL has only a part of the data: a move to it was interrupted. Unset DATABASE_URL and run ' +
      '`signalpost move --to URL` with the DATA_DIR of the embedded database again to finish it, or use an empty database',
  );
}
