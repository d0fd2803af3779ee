import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../../test/engines.ts';
import { until } from '../../../test/eventually.ts';
import { webhookDatabase } from '../../../test/webhook-database.ts';
import { ulid } from '../../ulid.ts';
import { announce } from '../announce-store.ts';
import { createCourier, type Post, type Result } from './courier.ts';
import { createOutboxStore } from './outbox-store.ts';

const accepted = { status: 204, body: Buffer.alloc(0), retryAfterMs: 0 };

/** A courier with its own database; `post` answers its requests. */
async function start(post: Post) {
  const database = await webhookDatabase({ url: null, dataDir: temporaryDirectory() });
  const { db, owner } = database;
  const results: Result[] = [];
  const courier = createCourier({
    store: createOutboxStore(db, 'webhooks'),
    post,
    now: Date.now,
    monotonicMs: () => performance.now(),
    random: () => 0,
    onResult: (result) => results.push(result),
    onSwitchedOff: assert.fail,
    onError: (error) => assert.fail(String(error)),
  });
  return {
    courier,
    results,
    /** Adds a webhook with due deliveries; `post` tells receivers apart by `url`. */
    async addWebhook(
      deliveries: number,
      { accountId = owner.accountId, isFailing = false, url = 'https://a.example/' } = {},
    ) {
      const id = await database.addWebhook();
      const event = { type: 'domain.flagged.spam', data: { domain: 'a.example' }, atMs: 1 } as const;
      const others = db.write.updateTable('webhooks').where('id', '<>', id);
      // Only the new webhook gets these deliveries.
      await others.set({ enabled: 0 }).execute();
      await db.transaction((trx) => announce(trx, owner, Array(deliveries).fill(event)));
      await others.set({ enabled: 1 }).execute();
      const changes = { account_id: accountId, failing_since: isFailing ? Date.now() : null, url };
      await db.write.updateTable('webhooks').set(changes).where('id', '=', id).execute();
      return id;
    },
    async addAccount() {
      const id = ulid(2);
      const values = { id, name: 'Joe', email: 'joe@example.com', plan: 'free', overage: 0, created_at: 1 };
      await db.write.insertInto('accounts').values(values).execute();
      return id;
    },
    /** Resolves when the outcomes of all requests are written. */
    async finishRound(attempts: number) {
      await until(async () => {
        await courier.buffer.flush();
        return results.length >= attempts;
      });
    },
    async [Symbol.asyncDispose]() {
      await courier.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

describe('courier', () => {
  it('the courier sends a failing receiver one delivery a round', async () => {
    let requests = 0;
    await using given = await start(async () => {
      requests += 1;
      throw new Error('refused');
    });
    await given.addWebhook(40, { isFailing: true });
    await given.courier.round();
    await given.finishRound(1);
    await given.courier.close();
    assert.equal(requests, 1);
    assert.deepEqual(given.results, ['retried']);
  });

  it('the courier sends a receiver one more delivery after it accepts again, and the rest in the next round', async () => {
    let requests = 0;
    await using given = await start(async () => {
      requests += 1;
      return accepted;
    });
    await given.addWebhook(40, { isFailing: true });
    await given.courier.round();
    await given.finishRound(1);
    assert.equal(requests, 1);
    await until(async () => {
      await given.courier.round();
      await given.courier.buffer.flush();
      return given.results.length === 40;
    });
    assert.deepEqual(new Set(given.results), new Set(['delivered']));
    assert.equal(requests, 40);
  });

  it('the courier has at most four requests in progress to one receiver, 32 to one account, and serves other accounts', async () => {
    const inProgress = new Map<string, number>();
    const answer = Promise.withResolvers<typeof accepted>();
    await using given = await start((url, { signal }) => {
      inProgress.set(url, (inProgress.get(url) ?? 0) + 1);
      signal.addEventListener('abort', () => answer.reject(new Error('aborted')));
      return answer.promise;
    });
    for (let webhook = 0; webhook < 12; webhook += 1)
      await given.addWebhook(8, { url: `https://busy.example/${webhook}` });
    await given.addWebhook(8, { accountId: await given.addAccount(), url: 'https://other.example/' });
    const requestsTo = (host: string) =>
      [...inProgress].filter(([url]) => url.includes(host)).reduce((sum, [, count]) => sum + count, 0);
    await given.courier.round();
    await until(() => requestsTo('busy') >= 32 && requestsTo('other') >= 4);
    await given.courier.round();
    await new Promise(setImmediate);
    assert.deepEqual([requestsTo('busy'), requestsTo('other')], [32, 4]);
    assert.ok([...inProgress.values()].every((count) => count === 4));
    answer.resolve(accepted);
  });

  it('the courier leaves deliveries in the outbox when a shutdown aborts them, without counting an attempt', async () => {
    const sent = Promise.withResolvers<void>();
    await using given = await start((_url, { signal }) => {
      sent.resolve();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    });
    await given.addWebhook(1);
    await given.courier.round();
    await sent.promise;
    await given.courier.close();
    assert.deepEqual(given.results, []);
  });
});
