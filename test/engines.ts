import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import type { DatabaseOptions } from '../src/db/db.ts';
import { emptyPostgresUrl, missingService, postgresServer, postgresUrl } from './services.ts';

/** Creates databases of one engine, one at each call. */
export type CreateDatabase = () => Promise<DatabaseOptions>;

/** Tests of one engine. `fresh` creates databases with a schema and no rows, `empty` without a schema. */
type Suite = (fresh: CreateDatabase, empty: CreateDatabase) => void;

/** Runs the suite of a store, or of anything else whose subject is the database, on SQLite and on PostgreSQL. */
export async function describeEngines(name: string, suite: Suite): Promise<void> {
  describeSqlite(name, suite);
  await describePostgres(name, suite);
}

/**
 * Runs the suite of an endpoint or a feature on SQLite, and in a full run (`npm test -- --full`, as in CI) on PostgreSQL too: the
 * suites of the stores below it run on both engines in every run.
 */
export async function describeService(name: string, suite: Suite): Promise<void> {
  describeSqlite(name, suite);
  if (process.env.TEST_FULL === 'true') await describePostgres(name, suite);
}

function describeSqlite(name: string, suite: Suite): void {
  describe(`${name} on SQLite`, () =>
    suite(
      async () => sqliteDatabase(),
      async () => ({ url: null, dataDir: temporaryDirectory() }),
    ));
}

async function describePostgres(name: string, suite: Suite): Promise<void> {
  const skip = await missingService(postgresServer);
  describe(`${name} on PostgreSQL`, { skip }, () =>
    suite(
      async () => ({ url: await postgresUrl(), dataDir: temporaryDirectory() }),
      async () => ({ url: await emptyPostgresUrl(), dataDir: temporaryDirectory() }),
    ),
  );
}

/** An embedded database that has a schema and no rows. */
export function sqliteDatabase(): DatabaseOptions {
  const dataDir = temporaryDirectory();
  // Prepared by the test run. Without it the database is created when it is opened, which takes six times as long.
  if (process.env.TEST_DATABASE !== undefined) copyFileSync(process.env.TEST_DATABASE, join(dataDir, 'signalpost.db'));
  return { url: null, dataDir };
}

const directories: string[] = [];
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** A directory that is removed when the process exits. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'signalpost-test-'));
  directories.push(directory);
  return directory;
}
