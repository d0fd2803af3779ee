import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, Kysely, sql } from 'kysely';
import { errorMessage } from '../../error-message.ts';
import { AppError } from '../../errors.ts';
import { createPrivateFile, makePrivateFolder } from '../../files/private-files.ts';
import type { Db } from '../db.ts';
import { type Migration, migrate } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { storageError } from '../storage-errors.ts';
import { createTurn, type Turn } from '../turn.ts';
import { createLogKeeper, logBytesKept } from './log-keeper.ts';
import { sqliteDialect } from './sqlite-driver.ts';
import { checkDatabaseFile, createDatabaseFile, publishFile } from './sqlite-file.ts';
import { giveBackSpace, readSizes } from './sqlite-space.ts';
import { createStatements } from './sqlite-statements.ts';

const busyTimeoutMs = 5_000;
/** SQLite's own waiting blocks the process, so it is kept short; the driver waits the rest between its tries. */
const blockingWaitMs = 20;
const longestLogPages = 16_384;

/** Opens the embedded database in `dataDir`, made on the first start, and brings its schema up to date. */
export async function openSqlite(dataDir: string, migrations: readonly Migration[]): Promise<Db> {
  prepareDataDir(dataDir);
  const file = join(dataDir, 'signalpost.db');
  createDatabaseFile(file);
  checkDatabaseFile(
    file,
    migrations.map((migration) => migration.id),
  );
  const writer = openConnection(file, false);
  const turn = createTurn();
  const writing = { database: writer, turn, begin: 'begin immediate', busyTimeoutMs } as const;
  const write = new Kysely<Schema>({ dialect: sqliteDialect(writing) });
  const writeLater = new Kysely<Schema>({ dialect: sqliteDialect({ ...writing, waitsForDisk: false }) });
  try {
    await migrate(write, 'sqlite', migrations);
  } catch (error) {
    await write.destroy();
    throw error;
  }
  const reader = openConnection(file, true);
  const read = new Kysely<Schema>({
    dialect: sqliteDialect({ database: reader, turn: createTurn(), begin: 'begin', busyTimeoutMs }),
  });
  const readNow = createStatements(reader);
  const log = createLogKeeper(file);
  const transactionOf =
    (through: Kysely<Schema>): Db['transaction'] =>
    (work) =>
      through.transaction().execute((trx) => turn.guard(() => work(trx)));
  return {
    engine: 'sqlite',
    read,
    readAtOnce<Row>(query: CompiledQuery<Row>) {
      try {
        if (!reader.isTransaction) return readNow<Row>(query).rows;
      } catch {
        // The longer way waits where that helps, and says what is wrong.
      }
      return read.executeQuery(query).then(({ rows }) => rows);
    },
    blocksWhileReading: true,
    // Every transaction of SQLite is a snapshot.
    snapshot: (work) => read.transaction().execute(work),
    write,
    transaction: transactionOf(write),
    background: { write: writeLater, transaction: transactionOf(writeLater) },
    async ping() {
      await sql`select 1 from migrations limit 1`.execute(read);
    },
    backup: async (target) => backUp(file, target),
    scrub: () => emptyLog(writer, turn),
    giveBackSpace: (ended) => giveBackSpace(writer, turn, log, ended),
    settle: () => log.settle(),
    sizes: () => readSizes(file, read),
    async close() {
      await log.close();
      await read.destroy();
      // A Kysely that was never used has not met its driver, and leaves the connection open.
      if (reader.isOpen) reader.close();
      // The writer comes last: only it can copy the write-ahead log back into the file.
      await write.destroy();
    },
  };
}

/** What the service keeps in its data directory. */
const isOurs = (name: string): boolean => /^signalpost\.db|^lists$|^rdap-bootstrap\.json/.test(name);

function prepareDataDir(dataDir: string): void {
  try {
    makePrivateFolder(dataDir, isOurs);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = errorMessage(error);
    throw new Error(`cannot write to DATA_DIR ${dataDir}: ${reason}`, { cause: error });
  }
}

function openConnection(file: string, readOnly: boolean): DatabaseSync {
  try {
    const database = new DatabaseSync(file, { readOnly, timeout: blockingWaitMs, enableForeignKeyConstraints: true });
    // FULL: a commit is on the disk before it is answered, also in WAL mode (https://sqlite.org/pragma.html#pragma_synchronous).
    // What is deleted is overwritten, so that nobody finds it in the file (https://sqlite.org/pragma.html#pragma_secure_delete).
    if (!readOnly) database.exec('pragma synchronous = full; pragma secure_delete = on');
    // The log is copied back by a thread, before it is so long that SQLite would do it in the middle of a commit.
    if (!readOnly)
      database.exec(`pragma wal_autocheckpoint = ${longestLogPages}; pragma journal_size_limit = ${logBytesKept}`);
    return database;
  } catch (error) {
    throw storageError(error);
  }
}

/**
 * Writes the rows as they are now to a new file: nothing of what was removed comes along, as it would with a copy of the
 * pages. Over a connection of its own: other processes read and write meanwhile, this one waits.
 */
function backUp(file: string, target: string): void {
  if (existsSync(target)) throw new Error(`cannot back up to ${target}: the file exists`);
  const draft = `${target}.${randomUUID()}.partial`;
  try {
    createPrivateFile(draft);
    using source = openConnection(file, true);
    // An older file cannot give back free room; its copy can (https://sqlite.org/pragma.html#pragma_auto_vacuum).
    if (source.prepare('pragma auto_vacuum').get()?.auto_vacuum === 0) source.exec('pragma auto_vacuum = incremental');
    source.prepare('vacuum into ?').run(draft);
    setJournalMode(draft);
    publishFile(draft, target);
  } catch (error) {
    const reason = errorMessage(error);
    throw new Error(`cannot back up to ${target}: ${reason}`, { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The mode of the journal is the one thing that `vacuum into` does not take along. */
function setJournalMode(file: string): void {
  using database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal');
}

/** Copies the write-ahead log back and empties it: until then it holds pages from before rows were removed. */
async function emptyLog(writer: DatabaseSync, turn: Turn): Promise<void> {
  const giveUpAt = performance.now() + busyTimeoutMs;
  const end = await turn.take();
  try {
    while (writer.prepare('pragma wal_checkpoint(truncate)').get()?.busy !== 0) {
      if (performance.now() > giveUpAt)
        throw new AppError('service_unavailable', { cause: new Error('the database is busy') });
      await sleep(blockingWaitMs);
    }
  } finally {
    end();
  }
}
