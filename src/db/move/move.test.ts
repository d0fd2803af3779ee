import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { temporaryDirectory } from '../../../test/engines.ts';
import { until } from '../../../test/eventually.ts';
import { gateClient } from '../../../test/gate-client.ts';
import { missingService, postgresServer, postgresUrl } from '../../../test/services.ts';
import { runSignalpost } from '../../../test/signalpost-process.ts';
import { realClock, type StartedApp, startApp } from '../../../test/start-app.ts';
import { webhookClient } from '../../../test/webhook-client.ts';
import { type Receiver, startReceiver } from '../../../test/webhook-receiver.ts';
import { type Db, openDatabase } from '../db.ts';
import { createMoveProgress } from '../move-progress.ts';
import { moveDatabase } from './move.ts';
import { leftTables, movedTables } from './tables.ts';

const skip = await missingService(postgresServer);

describe('a move to PostgreSQL', { skip }, () => {
  let dataDir: string;
  let source: Db;
  let key: string;
  let gate: string;
  let receiver: Receiver;
  let variables: NodeJS.ProcessEnv;
  let webhook: Readonly<Record<'id' | 'secret', string>>;
  before(async () => {
    receiver = await startReceiver();
    variables = { SECRET_KEY: 'the key of both databases', OUTBOUND_ALLOW: receiver.origin };
    dataDir = temporaryDirectory();
    const started = await startApp(variables, { database: { url: null, dataDir } });
    key = started.keys.production;
    const client = gateClient(started);
    gate = (await client.createGate({ preset: 'signup' })).id;
    await client.decide(gate, { email: 'jane@example.com', ip: '192.0.2.1' });
    for (const domain of ['one.example', 'two.example'])
      await started.request('POST', '/blocklist', { key, body: { domain } });
    webhook = await webhookClient(started).create({ url: receiver.url });
    await started.app.close();
    await started.db.close();
    source = await openDatabase({ url: null, dataDir });
    const entries = Array.from({ length: 2_500 }, (_, index) => ({
      no: index + 10,
      first_id: `a${index}`,
      last_id: `b${index}`,
      body: Buffer.from(`body ${index} \u0000`),
    }));
    await source.transaction(async (trx) => {
      for (const entry of entries) {
        await trx.insertInto('decision_segments').values(entry).execute();
        await trx
          .insertInto('decision_terms')
          .values({ bucket: entry.no, part: -1, terms: Buffer.of(entry.no % 256) })
          .execute();
      }
    });
  });
  after(async () => {
    await source.close();
    await receiver.close();
  });
  const openTarget = async () => {
    const url = await postgresUrl();
    return { url, db: await openDatabase({ url, dataDir: temporaryDirectory(), isMoveTarget: true }) };
  };

  it('a move knows every table of the database', async () => {
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(source.read);
    assert.deepEqual(rows.map(({ name }) => name).sort(), [...movedTables.keys(), ...leftTables].sort());
  });

  it('a move copies every row, and the service continues on the copy', async () => {
    const { url, db } = await openTarget();
    const tables = await moveDatabase(source, db);
    assert.equal(tables.find(({ table }) => table === 'decision_segments')?.rows, 2_500);
    assert.equal(tables.find(({ table }) => table === 'keys')?.rows, 3);
    const { rows } = await sql<{ known: number }>`
      select reltuples as known from pg_class where relname = 'decision_segments'`.execute(db.read);
    assert.deepEqual(rows, [{ known: 2_500 }]);
    await db.close();
    const moved: StartedApp = await startApp(variables, {
      database: { url, dataDir: temporaryDirectory() },
      existing: key,
      clock: realClock(),
    });
    const { json } = await moved.request<{ blocklisted: boolean }>('GET', '/domain/one.example', { key });
    assert.equal(json.blocklisted, true);
    assert.equal((await moved.request('POST', '/blocklist', { key, body: { domain: 'three.example' } })).status, 201);
    const status = await moved.request<{ usage: { current: number } }>('GET', '/status', { key });
    assert.equal(status.json.usage.current, 4);
    assert.equal((await gateClient(moved, key).readGate(gate)).id, gate);
    const made = { first_id: 'z', last_id: 'z', body: Buffer.of(1) };
    const numbered = await moved.db.write
      .insertInto('decision_segments')
      .values(made)
      .returning('no')
      .executeTakeFirst();
    assert.equal(numbered?.no, 2_510);
    await webhookClient(moved, key).call('POST', `/v1/webhooks/${webhook.id}/test`);
    await until(() => receiver.received.length > 0);
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
    const verified = new StandardWebhook(webhook.secret).verify(body, headers as Record<string, string>);
    assert.equal((verified as { type: string }).type, 'webhook.test');
    await moved.close();
  });

  it('an interrupted move leaves a target that no service starts on, and resumes where it stopped', async () => {
    const { url, db } = await openTarget();
    let batches = 0;
    const breaking: Db = {
      ...db,
      transaction(work) {
        batches += 1;
        if (batches === 12) throw new Error('the line was cut');
        return db.transaction(work);
      },
    };
    await assert.rejects(moveDatabase(source, breaking), /the line was cut/);
    const { rows } = await sql<{ copied_through: string }>`select copied_through from move_progress`.execute(db.read);
    assert.ok(rows.length > 0);
    const opening = openDatabase({ url, dataDir: temporaryDirectory() });
    await assert.rejects(opening, /a move to it was interrupted\..*signalpost move --to URL/);
    const tables = await moveDatabase(source, db);
    assert.equal(tables.find(({ table }) => table === 'decision_terms')?.rows, 2_500);
    await db.close();
  });

  it('a move refuses a target that has something in it', async () => {
    const { db } = await openTarget();
    await db.write.insertInto('settings').values({ name: 'a', value: 'b' }).execute();
    await assert.rejects(moveDatabase(source, db), /not empty: it has rows in "settings"/);
    await db.close();
  });

  it('a move that continues names both databases when a service has written to the target meanwhile', async () => {
    const { db } = await openTarget();
    const { rows } = await sql<{ name: string }>`select * from settings limit 1`.execute(source.read);
    await createMoveProgress(db);
    await sql`insert into move_progress (name, copied_through) values ('accounts', '[""]')`.execute(db.write);
    await db.write
      .insertInto('settings')
      .values({ name: rows[0]?.name ?? '', value: 'of the service' })
      .execute();
    await assert.rejects(moveDatabase(source, db), /"settings" differs .*a service was started on the target; empty/);
    await db.close();
  });

  it('a move refuses a copy that differs', async () => {
    const { db } = await openTarget();
    const changing: Db = {
      ...db,
      transaction: (work) =>
        db.transaction(async (trx) => {
          const result = await work(trx);
          await trx.updateTable('accounts').set({ name: 'Somebody else' }).execute();
          return result;
        }),
    };
    await assert.rejects(moveDatabase(source, changing), /"accounts" differs/);
    await db.close();
  });

  it('the command move tells what it copied, and refuses what it cannot read', async () => {
    const { url, db } = await openTarget();
    await db.close();
    const { code, stdout, stderr } = await runSignalpost(['move', '--to', url], { DATA_DIR: dataDir });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^decision_segments +2500 {2}[0-9a-f]{16}$/m);
    assert.equal((await runSignalpost(['move', '--to', 'mysql://x'], { DATA_DIR: dataDir })).code, 2);
    assert.equal((await runSignalpost(['move'], { DATA_DIR: dataDir })).code, 2);
  });
});
