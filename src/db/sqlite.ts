import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { errorMessage } from '../error-message.ts';
import type { Db } from './db.ts';
import { type Migration, migrate } from './migrate.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-driver.ts';
import { checkDatabaseFile, createDatabaseFile, publishFile } from './sqlite-file.ts';
import { storageError } from './storage-errors.ts';
import { createTurn } from './turn.ts';

const busyTimeoutMs = 5_000;
/** SQLite's own waiting blocks the process, so it is kept short; the driver waits the rest between its tries. */
const blockingWaitMs = 20;

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
  const write = new Kysely<Schema>({
    dialect: sqliteDialect({ database: writer, turn, begin: 'begin immediate', busyTimeoutMs }),
  });
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
  return {
    engine: 'sqlite',
    read,
    write,
    transaction: (work) => write.transaction().execute((trx) => turn.guard(() => work(trx))),
    async ping() {
      await sql`select 1 from migrations limit 1`.execute(read);
    },
    backup: (target) => backUp(file, target),
    async close() {
      await read.destroy();
      // A Kysely that was never used has not met its driver, and leaves the connection open.
      if (reader.isOpen) reader.close();
      // The writer comes last: only it can copy the write-ahead log back into the file.
      await write.destroy();
    },
  };
}

function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
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
    if (!readOnly) database.exec('pragma synchronous = full');
    return database;
  } catch (error) {
    throw storageError(error);
  }
}

/** Copies the database in one step off the main thread, over a connection of its own: readers and writers go on meanwhile. */
async function backUp(file: string, target: string): Promise<void> {
  if (existsSync(target)) throw new Error(`cannot back up to ${target}: the file exists`);
  const draft = `${target}.${randomUUID()}.partial`;
  try {
    using source = openConnection(file, true);
    await backup(source, draft, { rate: 0x7fff_ffff });
    publishFile(draft, target);
  } catch (error) {
    const reason = errorMessage(error);
    throw new Error(`cannot back up to ${target}: ${reason}`, { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
}
