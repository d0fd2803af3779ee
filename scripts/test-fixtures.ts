// node scripts/test-fixtures.ts: builds the files that tests copy instead of building them, and prints where they are.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../src/db/db.ts';
import { buildNetworks } from '../src/ip/networks-build.ts';
import { networksFingerprint } from '../src/ip/networks-compile.ts';
import { build } from '../src/lists/snapshot/build.ts';
import { inputFingerprint } from '../src/lists/snapshot/fingerprint.ts';
import { root } from './test-files.ts';

/** Paths of prepared files, by the variable through which tests find them. */
export interface TestFixtures {
  /** The snapshot that a first start would build. */
  readonly TEST_SNAPSHOT: string;
  /** The networks of IP addresses that it would compile. */
  readonly TEST_NETWORKS: string;
  /** An embedded database with an up-to-date schema and no rows. */
  readonly TEST_DATABASE: string;
}

const curatedDir = join(root, 'data');
const noDownloads = join(curatedDir, 'no-such-folder');

/** Builds the files that no earlier run has built from the same inputs and code. */
export async function testFixtures(): Promise<TestFixtures> {
  const snapshotInputs = inputFingerprint({ curatedDir, sourcesDir: noDownloads });
  const snapshot = fixturePath('snapshot', snapshotInputs, ['src/lists/**/*.ts', 'src/address/*.ts']);
  if (!existsSync(snapshot)) build({ curatedDir, sourcesDir: noDownloads, path: snapshot, nowMs: Date.now() });
  const networks = fixturePath('networks', networksFingerprint(), []);
  if (!existsSync(networks)) buildNetworks(networks);
  const database = fixturePath('database', '', ['src/db/**/*.ts']);
  if (!existsSync(database)) await createDatabase(database);
  return { TEST_SNAPSHOT: snapshot, TEST_NETWORKS: networks, TEST_DATABASE: database };
}

function fixturePath(name: string, inputs: string, code: readonly string[]): string {
  const hash = createHash('sha256').update(inputs);
  for (const file of globSync(code, { cwd: root }).sort()) hash.update(readFileSync(join(root, file)));
  return join(tmpdir(), `signalpost-test-${name}-${hash.digest('hex').slice(0, 32)}.bin`);
}

async function createDatabase(path: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalpost-test-database-'));
  const db = await openDatabase({ url: null, dataDir });
  await db.close();
  renameSync(join(dataDir, 'signalpost.db'), path);
  rmSync(dataDir, { recursive: true });
}

/** Creates a database with an up-to-date schema on a PostgreSQL, and returns its name. */
export async function postgresTemplate(server: string): Promise<string> {
  const name = `template_${process.pid}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name} template template0`);
  await client.end();
  const db = await openDatabase({ url: Object.assign(new URL(server), { pathname: `/${name}` }).href, dataDir: '' });
  await db.close();
  return name;
}

if (import.meta.main) console.log(JSON.stringify(await testFixtures()));
