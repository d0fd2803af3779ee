import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeEngines } from '../../../test/engines.ts';
import { webhookDatabase } from '../../../test/webhook-database.ts';
import type { DatabaseOptions } from '../../db/db.ts';
import { ulid } from '../../ulid.ts';
import { announce } from '../announce-store.ts';
import { type ClaimedDelivery, createOutboxStore, type Outcome } from './outbox-store.ts';

const leaseMs = 60_000;
const dayMs = 86_400_000;

await describeEngines('the outbox', (fresh) => {
  it('lets one process at a time claim a delivery, the oldest first', async () => {
    await using outbox = await open(await fresh());
    const { store, webhookId, publish } = outbox;
    await publish(30);
    const claims = await Promise.all(Array.from({ length: 6 }, () => store.claim(webhookId, 5, leaseMs)));
    assert.equal(new Set(claims.flat().map(({ id }) => id)).size, 30);
    assert.deepEqual(await store.claim(webhookId, 5, leaseMs), []);
    assert.deepEqual(await store.due(10), []);
  });

  it('lets another process claim a delivery whose lease has expired, and ignores the outcome of the first process', async () => {
    await using outbox = await open(await fresh());
    const { store, webhookId, publish, states } = outbox;
    await publish(1);
    const [late] = await store.claim(webhookId, 1, -1);
    const [current] = await store.claim(webhookId, 1, leaseMs);
    assert.equal(late?.id, current?.id);
    await store.finish([delivered(webhookId, current)], dayMs, 'off', 1);
    await store.finish([failed(webhookId, late)], dayMs, 'off', 1);
    assert.deepEqual(await states(), [['delivered', 1]]);
  });

  it('makes released deliveries due immediately, without counting an attempt', async () => {
    await using outbox = await open(await fresh());
    const { store, webhookId, publish } = outbox;
    await publish(2);
    const claimed = await store.claim(webhookId, 2, leaseMs);
    await store.release(claimed);
    const again = await store.claim(webhookId, 2, leaseMs);
    assert.deepEqual(
      again.map(({ id, attempts }) => [id, attempts]),
      claimed.map(({ id }) => [id, 0]),
    );
  });

  it('claims no deliveries of a disabled webhook', async () => {
    await using outbox = await open(await fresh());
    const { db, store, webhookId, publish } = outbox;
    await publish(1);
    assert.equal((await store.due(10)).length, 1);
    await db.write.updateTable('webhooks').set({ enabled: 0 }).execute();
    assert.deepEqual([await store.due(10), await store.claim(webhookId, 1, leaseMs)], [[], []]);
  });

  it('does not disable a webhook whose failures began after the limit or were interrupted by a success', async () => {
    await using outbox = await open(await fresh());
    const { db, store, webhookId, publish } = outbox;
    await publish(3);
    const isOn = async (): Promise<boolean> =>
      (await db.read.selectFrom('webhooks').select('enabled').executeTakeFirstOrThrow()).enabled === 1;
    const [first, second, third] = await store.claim(webhookId, 3, leaseMs);
    assert.deepEqual(await store.finish([failed(webhookId, first)], dayMs, 'off', 1), []);
    await db.write
      .updateTable('webhooks')
      .set({ failing_since: Date.now() - 2 * dayMs })
      .execute();
    const both = [delivered(webhookId, second), failed(webhookId, third)];
    assert.deepEqual(await store.finish(both, dayMs, 'off', 1), []);
    assert.ok(await isOn());
    assert.equal((await store.due(10))[0]?.isFailing ?? false, false);
  });

  it('prunes old deliveries in batches', async () => {
    await using outbox = await open(await fresh());
    const { store, publish, states } = outbox;
    await publish(5, 1_000);
    await publish(2, 9_000);
    assert.equal(await store.prune(ulid(5_000), 3), 3);
    assert.equal(await store.prune(ulid(5_000), 3), 2);
    assert.equal((await states()).length, 2);
  });
});

function delivered(webhookId: string, delivery: ClaimedDelivery | undefined): Outcome {
  assert.ok(delivery !== undefined);
  const answer = { status: 200, body: 'thank you', error: null };
  return { webhookId, delivery, state: 'delivered', delayMs: null, attemptedAtMs: 1, durationMs: 1, ...answer };
}

function failed(webhookId: string, delivery: ClaimedDelivery | undefined): Outcome {
  assert.ok(delivery !== undefined);
  const answer = { status: null, body: null, error: 'No answer' };
  return { webhookId, delivery, state: 'waiting', delayMs: 5_000, attemptedAtMs: 1, durationMs: 1, ...answer };
}

async function open(at: DatabaseOptions) {
  const opened = await webhookDatabase(at);
  const { db, owner } = opened;
  return {
    db,
    store: createOutboxStore(db, 'webhooks'),
    webhookId: await opened.addWebhook(),
    publish: (count: number, atMs = 1_000) => {
      const event = { type: 'domain.flagged.spam', data: { domain: 'a.example' }, atMs } as const;
      return db.transaction((trx) => announce(trx, owner, Array(count).fill(event)));
    },
    async states() {
      const rows = await db.read.selectFrom('webhook_deliveries').select(['state', 'attempts']).execute();
      return rows.map(({ state, attempts }) => [state, attempts]);
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}
