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
  it('writes a delivery with the same event id for each enabled webhook of the environment that subscribes to the type', async () => {
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

  it('writes an event with a key once when several processes announce it repeatedly', async () => {
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

  it('writes an event without a key on every announcement', async () => {
    await using given = await webhookDatabase(await fresh());
    const { db, owner, addWebhook } = given;
    await addWebhook();
    for (let times = 0; times < 2; times += 1) {
      await db.transaction((trx) => announce(trx, owner, [flagged('a.example')]));
    }
    assert.equal((await deliveries(db)).length, 2);
  });

  it('writes nothing when the transaction fails', async () => {
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

  it('writes more events than fit into one statement', async () => {
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
