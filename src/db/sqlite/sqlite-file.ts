import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../error-message.ts';
import { createPrivateFile } from '../../files/private-files.ts';
import { syncPath } from '../../files/sync-path.ts';

/** Marks a Signalpost database in the file's header (https://sqlite.org/fileformat.html, offset 68): "SPdb". */
const applicationId = 0x53506462;
/** `quick_check` reads the whole file, a tenth of a second for 75 MB; of larger files only header and size are checked. */
const quickCheckMaxBytes = 256 * 1024 * 1024;

/**
 * Creates an empty database at `file` unless one exists.
 * The file appears with its header in place, so an empty file under that name is always damaged, never half created.
 */
export function createDatabaseFile(file: string): void {
  if (existsSync(file)) return;
  const draft = `${file}.${randomUUID()}.new`;
  try {
    createPrivateFile(draft);
    const database = new DatabaseSync(draft);
    // Without it, free pages stay in the file for ever; it can only be set before the first table.
    database.exec('pragma auto_vacuum = incremental');
    database.exec(`pragma journal_mode = wal; pragma application_id = ${applicationId}`);
    database.close();
    publishFile(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Syncs a finished file and gives it its final name; fails with EEXIST rather than replace another. */
export function publishFile(draft: string, file: string): void {
  syncPath(draft);
  try {
    linkSync(draft, file);
    rmSync(draft);
  } catch (error) {
    // Some file systems have no hard links.
    if (existsSync(file)) throw error;
    renameSync(draft, file);
  }
  syncPath(dirname(file));
}

/** Rejects, without changing a byte, a file that is damaged, belongs to another program, or has an unknown schema. */
export function checkDatabaseFile(file: string, knownMigrations: readonly string[]): void {
  const problem = findProblem(file, knownMigrations);
  if (problem === null) return;
  throw new Error(`cannot use the database ${file}: ${problem} (the file was left untouched)`);
}

function findProblem(file: string, knownMigrations: readonly string[]): string | null {
  let header: Header;
  try {
    header = readHeader(file);
  } catch (error) {
    return `it cannot be read: ${errorMessage(error)}`;
  }
  if (header.bytes === 0) return 'it is empty, so it was truncated; restore a backup, or remove it to start over';
  if (!header.isSqlite) return 'it is not a SQLite database';
  const walBytes = sizeOf(`${file}-wal`);
  // Until the write-ahead log is checkpointed, the file alone may be short or half written; SQLite then reads both.
  if (walBytes === 0 && header.bytes < header.pages * header.pageBytes) return truncated(header);
  const problem = inspect(file, header, walBytes, knownMigrations);
  // Without a log the file was read as immutable; if another process has begun to write, read it again with the log.
  return problem !== null && walBytes === 0 && sizeOf(`${file}-wal`) > 0
    ? inspect(file, header, sizeOf(`${file}-wal`), knownMigrations)
    : problem;
}

const truncated = (header: Header): string =>
  `it is truncated (${header.bytes} bytes of ${header.pages * header.pageBytes}); restore a backup`;

interface Header {
  readonly bytes: number;
  readonly isSqlite: boolean;
  readonly pageBytes: number;
  readonly pages: number;
}

function readHeader(file: string): Header {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = statSync(file).size;
    const header = Buffer.alloc(100);
    readSync(descriptor, header, 0, 100, 0);
    const pageBytes = header.readUInt16BE(16);
    return {
      bytes,
      isSqlite: header.toString('latin1', 0, 16) === 'SQLite format 3\0',
      pageBytes: pageBytes === 1 ? 65_536 : pageBytes,
      pages: header.readUInt32BE(28),
    };
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the database through SQLite; `immutable` keeps SQLite from creating side files where there is no log to read. */
function inspect(file: string, header: Header, walBytes: number, knownMigrations: readonly string[]): string | null {
  const url = pathToFileURL(file);
  if (walBytes === 0) url.searchParams.set('immutable', '1');
  try {
    using database = new DatabaseSync(url, { readOnly: true, timeout: 5_000 });
    const pragma = (name: string): unknown => Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];
    if (pragma('application_id') !== applicationId) return 'it belongs to another program';
    const pages = Number(pragma('page_count'));
    const framesInLog = Math.floor(walBytes / header.pageBytes);
    if (pages > header.bytes / header.pageBytes + framesInLog) return truncated({ ...header, pages });
    if (header.bytes <= quickCheckMaxBytes) {
      const check = pragma('quick_check(1)');
      if (check !== 'ok') return `it is damaged (${String(check).replaceAll('\n', ' ')}); restore a backup`;
    }
    const unknown = readMigrations(database).filter((id) => !knownMigrations.includes(id));
    return unknown.length === 0 ? null : `it was made by a newer version (it has ${unknown.join(', ')})`;
  } catch (error) {
    return `it is damaged or locked (${errorMessage(error)})`;
  }
}

function readMigrations(database: DatabaseSync): string[] {
  const table = database.prepare("select 1 from sqlite_master where type = 'table' and name = 'migrations'").get();
  if (table === undefined) return [];
  return database
    .prepare('select id from migrations order by id')
    .all()
    .map((row) => String(row.id));
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
