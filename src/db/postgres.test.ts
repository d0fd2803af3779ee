import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { type Service, startPostgres } from '../../scripts/services.ts';
import { temporaryDirectory } from '../../test/engines.ts';
import { type FaultyProxy, startFaultyProxy } from '../../test/faulty-proxy.ts';
import { missingService, postgresServer, postgresUrl } from '../../test/services.ts';
import { type Db, openDatabase } from './db.ts';

const away = { code: 'service_unavailable' };
const open = (url: string): Promise<Db> => openDatabase({ url, dataDir: temporaryDirectory() });
const skip = await missingService(postgresServer);

describe('PostgreSQL behind a failing line', { skip }, () => {
  let line: FaultyProxy;
  let db: Db;
  beforeEach(async () => {
    line = await startFaultyProxy(await postgresUrl(10));
    db = await open(line.url);
  });
  afterEach(async () => {
    await db.close();
    line.close();
  });
  const insert = (name: string) => db.write.insertInto('settings').values({ name, value: 'x' }).execute();

  for (const mode of ['refused', 'silent'] as const) {
    test(`PostgreSQL behind a failing line is unavailable while ${mode}, and works again immediately after it recovers`, async () => {
      await insert('before');
      await line.set(mode);
      await assert.rejects(db.ping(), away);
      await assert.rejects(insert('meanwhile'), away);
      await assert.rejects(
        db.transaction((trx) => trx.insertInto('settings').values({ name: 'meanwhile', value: 'x' }).execute()),
        away,
      );
      await line.set('through');
      await db.ping();
      await insert('after');
      assert.deepEqual(
        await db.read.selectFrom('settings').select('name').where('name', '!=', 'meanwhile').orderBy('name').execute(),
        [{ name: 'after' }, { name: 'before' }],
      );
    });

    test(`PostgreSQL behind a failing line rolls back a whole transaction when it becomes ${mode} in the middle`, async () => {
      const work = db.transaction(async (trx) => {
        await trx.insertInto('settings').values({ name: 'first', value: 'x' }).execute();
        await line.set(mode);
        await trx.insertInto('settings').values({ name: 'second', value: 'x' }).execute();
      });
      await assert.rejects(work, away);
      await line.set('through');
      assert.deepEqual(await db.read.selectFrom('settings').selectAll().execute(), []);
    });
  }

  test('PostgreSQL behind a failing line does not use a connection again that fell silent, though the server is back', {
    timeout: 60_000,
  }, async () => {
    await db.ping();
    await line.set('silent');
    await assert.rejects(db.ping(), away);
    line.forgetConnections();
    await db.ping();
    await insert('after');
    assert.deepEqual(await db.read.selectFrom('settings').select('name').execute(), [{ name: 'after' }]);
  });

  test('PostgreSQL behind a failing line waits for a slow answer as long as the server is there', async () => {
    const { rows } = await sql<{ done: number }>`select 1 as done from pg_sleep(2.5)`.execute(db.read);
    assert.deepEqual(rows, [{ done: 1 }]);
  });

  test('PostgreSQL behind a failing line survives the loss of idle connections and of one inside a transaction', async () => {
    const killed = db.transaction(async (trx) => {
      await trx.insertInto('settings').values({ name: 'a', value: 'x' }).execute();
      await killOthers(line.url);
      await trx.insertInto('settings').values({ name: 'b', value: 'x' }).execute();
    });
    await assert.rejects(killed, away);
    await insert('c');
    assert.deepEqual(await db.read.selectFrom('settings').select('name').execute(), [{ name: 'c' }]);
  });

  test('PostgreSQL behind a failing line does not pass off a transaction as committed after a statement in it failed', async () => {
    const swallowed = db.transaction(async (trx) => {
      await trx.insertInto('settings').values({ name: 'a', value: 'x' }).execute();
      await sql`select 1 / 0`.execute(trx).catch(() => null);
    });
    await assert.rejects(swallowed);
    assert.deepEqual(await db.read.selectFrom('settings').selectAll().execute(), []);
  });

  test('PostgreSQL behind a failing line refuses a backup and names pg_dump instead', async () => {
    await assert.rejects(db.backup('/nowhere/file'), /pg_dump/);
  });
});

async function killOthers(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}

describe('a PostgreSQL of its own', { skip }, () => {
  let server: Service;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  test('a PostgreSQL of its own that has no time for longer than a request would wait is waited for by a start', async () => {
    process.kill(server.pid, 'SIGSTOP');
    const opening = open(server.url);
    await sleep(3_000).finally(() => process.kill(server.pid, 'SIGCONT'));
    await (await opening).close();
  });

  test('a PostgreSQL of its own that has no time is waited for by a request as long as connect_timeout in its URL says', async () => {
    const db = await open(`${server.url}?connect_timeout=30`);
    process.kill(server.pid, 'SIGSTOP');
    const asking = db.ping();
    await sleep(3_000).finally(() => process.kill(server.pid, 'SIGCONT'));
    await asking;
    await db.close();
  });

  for (const wrong of ['', '0', '61', '1.5', 'soon']) {
    test(`a PostgreSQL of its own is not opened with connect_timeout=${wrong}`, async () => {
      await assert.rejects(open(`${server.url}?connect_timeout=${wrong}`), /connect_timeout .* 1 to 60 seconds/);
    });
  }

  test('a PostgreSQL of its own is unavailable once it has stopped, for open connections and new ones', async () => {
    const db = await open(server.url);
    await db.ping();
    await server.stop();
    await assert.rejects(db.ping(), away);
    await assert.rejects(open(server.url), away);
    await db.close();
  });
});

test('a wrong database name is reported as such, not as unavailable', { skip }, async () => {
  const url = Object.assign(new URL(await postgresUrl()), { pathname: '/nosuchdatabase' }).href;
  await assert.rejects(open(url), /cannot open .*"nosuchdatabase" does not exist/);
});
