import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { webhookDatabase } from '../../test/webhook-database.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { announce } from './announce-store.ts';
import type { WebhookEvent } from './events.ts';

const flagged = (domain: string, key?: string): WebhookEvent => ({
  type: 'domain.flagged.spam',
  data: { domain },
  atMs: 1_000,
  ...(key === undefined ? {} : { key }),
});

await describeEngines('announcing events', (fresh) => {
  it('writes a delivery with one event id for each webhook of the environment that is on and asked for the type', async () => {
    await using given = await webhookDatabase(await fresh());
    const { db, owner, addWebhook } = given;
    const first = await addWebhook();
    const second = await addWebhook();
    await addWebhook({ enabled: 0 });
    await addWebhook({ events: '["domain.flagged.relay"]' });
    await addWebhook({ environment: 'staging' });

    await db.transaction((trx) => announce(trx, owner, [flagged('a.example')]));

    const rows = await deliveries(db);
    assert.deepEqual(rows.map((row) => row.webhook_id).toSorted(), [first, second].toSorted());
    assert.equal(new Set(rows.map((row) => row.event_id)).size, 1);
    assert.deepEqual(
      rows.map((row) => [row.event_type, row.data, row.state, row.attempts]),
      Array(2).fill(['domain.flagged.spam', '{"domain":"a.example"}', 'waiting', 0]),
    );
  });

  it('writes an event with a key once, however often and by however many it is announced', async () => {
    const at = await fresh();
    await using given = await webhookDatabase(at);
    const { db, owner, addWebhook } = given;
    await addWebhook();
    const other = await openDatabase(at);
    try {
      const again = (from: Db) => from.transaction((trx) => announce(trx, owner, [flagged('a.example', 'spam a')]));
      await Promise.all([again(db), again(other), again(db), again(other)]);
    } finally {
      await other.close();
    }
    assert.equal((await deliveries(db)).length, 1);
  });

  it('writes events without a key each time they are announced', async () => {
    await using given = await webhookDatabase(await fresh());
    const { db, owner, addWebhook } = given;
    await addWebhook();
    for (let times = 0; times < 2; times += 1) {
      await db.transaction((trx) => announce(trx, owner, [flagged('a.example')]));
    }
    assert.equal((await deliveries(db)).length, 2);
  });

  it('leaves nothing behind when the transaction fails', async () => {
    await using given = await webhookDatabase(await fresh());
    const { db, owner, addWebhook } = given;
    await addWebhook();
    const failing = db.transaction(async (trx) => {
      await announce(trx, owner, [flagged('a.example')]);
      throw new Error('found nothing after all');
    });
    await assert.rejects(failing, /found nothing/);
    assert.deepEqual(await deliveries(db), []);
  });

  it('takes more events at once than one statement takes', async () => {
    await using given = await webhookDatabase(await fresh());
    const { db, owner, addWebhook } = given;
    await addWebhook();
    const many = Array.from({ length: 1_201 }, (_, index) => flagged(`d${index}.example`, `spam ${index}`));
    await db.transaction((trx) => announce(trx, owner, many));
    assert.equal((await deliveries(db)).length, 1_201);
  });
});

function deliveries(db: Db) {
  return db.read.selectFrom('webhook_deliveries').selectAll().execute();
}
