import { randomUUID } from 'node:crypto';
import { MissingProgramError } from '../scripts/programs.ts';
import { type Service, startPostgres, startRedis } from '../scripts/services.ts';

/** Seconds that a test waits for a connection to PostgreSQL; a busy machine needs many. */
const patience = 30;

/** The PostgreSQL of this test run. */
export async function postgresServer(): Promise<string> {
  return process.env.TEST_POSTGRES_URL ?? (await ownPostgres()).url;
}

/**
 * A new database on the PostgreSQL of this test run, with a schema and no rows. `patienceS` is how long a connection is waited
 * for; a test that makes the server silent waits less.
 */
export function postgresUrl(patienceS = patience): Promise<string> {
  return createPostgresDatabase(process.env.TEST_POSTGRES_TEMPLATE ?? 'template0', patienceS);
}

/** A new database without a schema. */
export function emptyPostgresUrl(): Promise<string> {
  return createPostgresDatabase('template0', patience);
}

async function createPostgresDatabase(template: string, patienceS: number): Promise<string> {
  const server = await postgresServer();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const { Client } = await import('pg');
  const client = new Client({ connectionString: server });
  await client.connect();
  // Copies files instead of logging every page: PostgreSQL before version 15 does nothing else.
  const { rows } = await client.query("select current_setting('server_version_num')::int >= 150000 as is_chosen");
  await client.query(`create database ${name} template ${template} ${rows[0].is_chosen ? 'strategy file_copy' : ''}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: `/${name}`, search: `?connect_timeout=${patienceS}` }).href;
}

/** The Redis of this test run; each test uses its own keys. */
export async function redisUrl(): Promise<string> {
  return process.env.TEST_REDIS_URL ?? (await ownRedis()).url;
}

/** The reason to skip tests of a service whose program is missing; in CI it throws instead. */
export async function missingService(start: () => Promise<unknown>): Promise<string | false> {
  try {
    await start();
    return false;
  } catch (error) {
    if (error instanceof MissingProgramError && process.env.CI !== 'true') return error.message;
    throw error;
  }
}

/** A test file that runs alone starts its services, which stop with its process. */
function once(start: () => Promise<Service>): () => Promise<Service> {
  let started: Promise<Service> | undefined;
  return () => {
    started ??= start();
    return started;
  };
}

const ownPostgres = once(startPostgres);
const ownRedis = once(() => startRedis());
