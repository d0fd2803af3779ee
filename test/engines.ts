import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import type { DatabaseOptions } from '../src/db/db.ts';
import { missingService, postgresServer, postgresUrl } from './services.ts';

/** Hands out empty databases of one engine, one after the other. */
export type FreshDatabase = () => Promise<DatabaseOptions>;

/** Runs one suite on SQLite and on PostgreSQL. */
export async function describeEngines(name: string, suite: (fresh: FreshDatabase) => void): Promise<void> {
  describe(`${name} on SQLite`, () => suite(async () => ({ url: null, dataDir: temporaryDirectory() })));
  const skip = await missingService(postgresServer);
  describe(`${name} on PostgreSQL`, { skip }, () =>
    suite(async () => ({ url: await postgresUrl(), dataDir: temporaryDirectory() })),
  );
}

const directories: string[] = [];
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** A directory that is removed with the process. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'signalpost-test-'));
  directories.push(directory);
  return directory;
}
