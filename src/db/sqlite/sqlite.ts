import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, Kysely, sql } from 'kysely';
import { errorMessage } from '../../error-message.ts';
import { AppError } from '../../errors.ts';
import { createPrivateFile, makePrivateFolder } from '../../files/private-files.ts';
import type { Db, EngineDb } from '../db.ts';
import { knownIds, type Migration, migrate } from '../migrate.ts';
import { createMutex, type Mutex } from '../mutex.ts';
import type { Schema } from '../schema.ts';
import { storageError } from '../storage-errors.ts';
import { type FileLock, lockFile } from './file-lock.ts';
import { sqliteDialect } from './sqlite-driver.ts';
import { checkDatabaseFile, createDatabaseFile, publishFile } from './sqlite-file.ts';
import { readSizes, vacuum } from './sqlite-space.ts';
import { createStatements } from './sqlite-statements.ts';
import { createWalCheckpoints, walBytesKept } from './wal-checkpoints.ts';

const busyTimeoutMs = 5_000;
/** SQLite's own wait blocks the process, so it is short; the driver waits the rest between its attempts. */
const blockingWaitMs = 20;
const longestWalPages = 16_384;

/** Opens the embedded database in `dataDir`, creates it on the first start, and brings its schema up to date. */
export async function openSqlite(dataDir: string, migrations: readonly Migration[]): Promise<EngineDb> {
  prepareDataDir(dataDir);
  const file = join(dataDir, 'signalpost.db');
  createDatabaseFile(file);
  checkDatabaseFile(file, knownIds(migrations));
  const writer = openConnection(file, false);
  const mutex = createMutex();
  const writing = { database: writer, mutex, begin: 'begin immediate', busyTimeoutMs } as const;
  const write = new Kysely<Schema>({ dialect: sqliteDialect(writing) });
  const backgroundWrite = new Kysely<Schema>({ dialect: sqliteDialect({ ...writing, waitsForDisk: false }) });
  try {
    await migrate(write, 'sqlite', migrations);
  } catch (error) {
    await write.destroy();
    throw error;
  }
  const { read, readCompiled, close: closeReader } = openReader(file);
  const wal = createWalCheckpoints(file);
  const transactionOf =
    (through: Kysely<Schema>): Db['transaction'] =>
    (work) =>
      through.transaction().execute((trx) => mutex.guard(() => work(trx)));
  return {
    engine: 'sqlite',
    read,
    readCompiled,
    blocksWhileReading: true,
    // Every transaction of SQLite is a snapshot.
    snapshot: (work) => read.transaction().execute(work),
    write,
    transaction: transactionOf(write),
    background: { write: backgroundWrite, transaction: transactionOf(backgroundWrite) },
    async ping() {
      await sql`select 1 from migrations limit 1`.execute(read);
    },
    backup: async (target) => backUp(file, target),
    scrub: () => truncateWal(writer, mutex),
    vacuum: (ended) => vacuum(writer, mutex, wal, ended),
    fsync: () => wal.fsync(),
    sizes: () => readSizes(file, read),
    async close() {
      await wal.close();
      await closeReader();
      // The writer closes last: only it can checkpoint the write-ahead log.
      await write.destroy();
    },
  };
}

function openReader(file: string) {
  const reader = openConnection(file, true);
  const dialect = sqliteDialect({ database: reader, mutex: createMutex(), begin: 'begin', busyTimeoutMs });
  const read = new Kysely<Schema>({ dialect });
  const readNow = createStatements(reader);
  return {
    read,
    readCompiled<Row>(query: CompiledQuery<Row>): Row[] | Promise<Row[]> {
      try {
        if (!reader.isTransaction) return readNow<Row>(query).rows;
      } catch {
        // The asynchronous way below waits for locks and reports the error.
      }
      return read.executeQuery(query).then(({ rows }) => rows);
    },
    async close(): Promise<void> {
      await read.destroy();
      // A Kysely that was never used has not created its driver, and leaves the connection open.
      if (reader.isOpen) reader.close();
    },
  };
}

/** Whether the service owns a file in its data directory. */
const isOwnFile = (name: string): boolean => /^signalpost\.db|^secret\.key$|^lists$|^rdap-bootstrap\.json/.test(name);

/** Creates the data directory, or checks that this process can use it. */
export function prepareDataDir(dataDir: string): void {
  try {
    makePrivateFolder(dataDir, isOwnFile);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = errorMessage(error);
    throw new Error(`cannot write to DATA_DIR ${dataDir}: ${reason}`, { cause: error });
  }
}

/** Locks a data directory for one service: two would each grant all credits. Commands do not need the lock. */
export function lockDataDir(dataDir: string): FileLock {
  prepareDataDir(dataDir);
  const lock = lockFile(join(dataDir, 'signalpost.db-lock'));
  if (lock !== null) return lock;
  throw new Error(
    `another service runs on DATA_DIR ${dataDir}; stop it, or set WORKERS for more processes on this machine`,
  );
}

function openConnection(file: string, readOnly: boolean): DatabaseSync {
  try {
    const database = new DatabaseSync(file, { readOnly, timeout: blockingWaitMs, enableForeignKeyConstraints: true });
    // FULL: a commit is on the disk before it returns, also in WAL mode (https://sqlite.org/pragma.html#pragma_synchronous).
    // Deleted rows are overwritten in the file (https://sqlite.org/pragma.html#pragma_secure_delete).
    if (!readOnly) database.exec('pragma synchronous = full; pragma secure_delete = on');
    // A thread checkpoints the log before it is so long that SQLite would do it in the middle of a commit.
    if (!readOnly)
      database.exec(`pragma wal_autocheckpoint = ${longestWalPages}; pragma journal_size_limit = ${walBytesKept}`);
    return database;
  } catch (error) {
    throw storageError(error);
  }
}

/**
 * Writes the current rows to a new file, which holds nothing of removed rows, unlike a copy of the pages. Uses a separate
 * connection: other processes read and write meanwhile, this one waits.
 */
function backUp(file: string, target: string): void {
  if (existsSync(target)) throw new Error(`cannot back up to ${target}: the file exists`);
  const draft = `${target}.${randomUUID()}.partial`;
  const lock = lockFile(`${file}-backup-lock`);
  try {
    // While another backup runs, its draft must stay.
    if (lock !== null) removeDrafts(target);
    createPrivateFile(draft);
    using source = openConnection(file, true);
    // An older file cannot be vacuumed in steps; its copy can (https://sqlite.org/pragma.html#pragma_auto_vacuum).
    if (source.prepare('pragma auto_vacuum').get()?.auto_vacuum === 0) source.exec('pragma auto_vacuum = incremental');
    source.prepare('vacuum into ?').run(draft);
    setJournalMode(draft);
    publishFile(draft, target);
  } catch (error) {
    const reason = errorMessage(error);
    throw new Error(`cannot back up to ${target}: ${reason}`, { cause: error });
  } finally {
    rmSync(draft, { force: true });
    lock?.release();
  }
}

/** Removes the drafts of interrupted backups: of this file, and of the copies that `backup --keep` names. */
function removeDrafts(target: string): void {
  const folder = dirname(target);
  for (const name of readdirSync(folder)) {
    const [, copy] = /^(.+)\.[0-9a-f-]{36}\.partial(?:-\w+)?$/.exec(name) ?? [];
    if (copy === basename(target) || (copy !== undefined && isDatedCopy(copy))) rmSync(join(folder, name));
  }
}

const isDatedCopy = (name: string): boolean => /^signalpost-\d{4}-\d\d-\d\dT[\d.-]+Z\.db$/.test(name);

/** Gives a copy the journal mode of the service: `vacuum into` copies everything else. */
export function setJournalMode(file: string): void {
  using database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal');
}

/** Checkpoints and truncates the write-ahead log, which holds pages from before rows were removed. */
async function truncateWal(writer: DatabaseSync, mutex: Mutex): Promise<void> {
  const deadlineMs = performance.now() + busyTimeoutMs;
  const release = await mutex.acquire();
  try {
    while (writer.prepare('pragma wal_checkpoint(truncate)').get()?.busy !== 0) {
      if (performance.now() > deadlineMs)
        throw new AppError('service_unavailable', { cause: new Error('the database is busy') });
      await sleep(blockingWaitMs);
    }
  } finally {
    release();
  }
}
