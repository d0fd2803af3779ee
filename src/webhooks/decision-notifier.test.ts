import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeService } from '../../test/engines.ts';
import { webhookDatabase } from '../../test/webhook-database.ts';
import { dataText } from './decision-batch.ts';
import { createDecisionBatchesStore, type DecisionBatch } from './decision-batches-store.ts';
import { createDecisionNotifier } from './decision-notifier.ts';

const owner = { accountId: 'a', environment: 'production' } as const;
const decision = (id: string) => ({
  id,
  gateId: 'g',
  requestId: 'r',
  action: 'block',
  matchedRule: null,
  createdAtMs: 0,
});

describe('createDecisionNotifier', () => {
  it('keeps decisions while storage is unavailable and counts those beyond its bound', async () => {
    let isUnavailable = false;
    const written: DecisionBatch[] = [];
    const notifier = createDecisionNotifier({
      subscriptions: async () => [{ webhookId: 'w', owner, gateIds: [], actions: [] }],
      async append(batches) {
        if (isUnavailable) throw new Error('unavailable');
        written.push(...batches);
        return [];
      },
    });
    await notifier.buffer.flush();
    isUnavailable = true;
    for (let count = 0; count < 700; count += 1) notifier.onDecision(decision(`early${count}`), owner);
    await assert.rejects(notifier.buffer.flush(), /unavailable/);
    for (let count = 0; count < 700; count += 1) notifier.onDecision(decision(`late${count}`), owner);
    assert.equal(notifier.buffer.pending(), 1_000);
    await assert.rejects(notifier.buffer.flush(), /unavailable/);
    isUnavailable = false;
    await notifier.buffer.flush();
    const { decisions, omitted } = JSON.parse(dataText('gate.decision', written[0]?.text ?? ''));
    assert.deepEqual([written.length, decisions.length, omitted], [1, 1_000, 400]);
    assert.deepEqual([decisions[0].decision_id, decisions.at(-1).decision_id], ['early0', 'late299']);
    assert.equal(notifier.buffer.pending(), 0);
  });
});

await describeService('batches of decisions', (fresh) => {
  it('batches of decisions from several processes in one second share a delivery until a process claims it', async () => {
    await using given = await webhookDatabase(await fresh());
    const { db, addWebhook } = given;
    const webhookId = await addWebhook({ events: '["gate.decision"]' });
    const store = createDecisionBatchesStore(db);
    const texts = Array.from({ length: 8 }, (_, index) => `{"decision_id":"${index}"}`);
    const left = await Promise.all(texts.map((text) => store.append([{ webhookId, text }])));
    assert.deepEqual(left.flat(), []);
    const deliveries = () => db.read.selectFrom('webhook_deliveries').select(['id', 'data', 'due_at']).execute();
    const before = await deliveries();
    // The appends may span several seconds; each second has one delivery.
    assert.equal(new Set(before.map(({ due_at }) => due_at)).size, before.length);
    assert.deepEqual(before.flatMap(({ data }) => data.split(',')).toSorted(), texts);

    await db.write
      .updateTable('webhook_deliveries')
      .set((row) => ({ due_at: row('due_at', '+', 60_000) }))
      .execute();
    assert.deepEqual(await store.append([{ webhookId, text: '{"decision_id":"later"}' }]), []);
    const after = await deliveries();
    assert.equal(after.length, before.length + 1);
    for (const { id, data } of before) assert.equal(after.find((one) => one.id === id)?.data, data);
  });
});
