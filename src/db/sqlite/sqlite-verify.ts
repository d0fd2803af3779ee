import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../error-message.ts';
import { knownIds } from '../migrate.ts';
import { allMigrations } from '../migrations/all.ts';
import { checkDatabaseFile } from './sqlite-file.ts';

/** The contents of a usable database. */
export interface VerifiedDatabase {
  readonly bytes: number;
  readonly migrations: readonly string[];
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** Reads a whole database file, usually a backup, without changing it; throws with the reason when it is unusable. */
export function verifyDatabaseFile(file: string): VerifiedDatabase {
  checkDatabaseFile(file, knownIds(allMigrations));
  const url = pathToFileURL(file);
  // Keeps SQLite from creating side files beside a copy; a file with a log is in use and is read with it.
  const isAlone = statSync(`${file}-wal`, { throwIfNoEntry: false }) === undefined;
  if (isAlone) url.searchParams.set('immutable', '1');
  using database = new DatabaseSync(url, { readOnly: true, timeout: 5_000 });
  const problem = findDamage(database);
  if (problem !== null) throw new Error(`the database ${file} is damaged: ${problem}`);
  const names = (query: string): string[] =>
    database
      .prepare(query)
      .all()
      .map((row) => String(row.name));
  const tables = names(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
  );
  return {
    bytes: statSync(file).size,
    migrations: names('select id as name from migrations order by id'),
    rows: Object.fromEntries(tables.map((table) => [table, countRows(database, table)])),
  };
}

/** Every page, every index against its table, every reference between tables. */
function findDamage(database: DatabaseSync): string | null {
  try {
    const [check] = database.prepare('pragma integrity_check(1)').all();
    if (check?.integrity_check !== 'ok') return String(check?.integrity_check).replaceAll('\n', ' ');
    const [loose] = database.prepare('pragma foreign_key_check').all();
    return loose === undefined ? null : `a row of ${loose.table} refers to a missing row of ${loose.parent}`;
  } catch (error) {
    return errorMessage(error);
  }
}

function countRows(database: DatabaseSync, table: string): number {
  return Number(database.prepare(`select count(*) as count from "${table}"`).get()?.count);
}
