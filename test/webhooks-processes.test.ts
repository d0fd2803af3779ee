import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Db, openDatabase } from '../src/db/db.ts';
import { announce } from '../src/webhooks/announce-store.ts';
import { describeService, temporaryDirectory } from './engines.ts';
import { until } from './eventually.ts';
import { missingService, postgresServer, postgresUrl } from './services.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';
import { accept, type Receiver, startReceiver } from './webhook-receiver.ts';

const spam = 'domain.flagged.spam';

/** Adds events as the service does: inside a transaction. */
function tell(db: Db, accountId: string, domains: readonly string[]): Promise<void> {
  const atMs = Date.now();
  const events = domains.map((domain) => ({ type: spam, data: { domain }, atMs }) as const);
  return db.transaction((trx) => announce(trx, { accountId, environment: 'production' }, events));
}

/** The number of requests per domain. */
function countByDomain({ received }: Receiver): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { body } of received) {
    const { domain } = JSON.parse(body).data as { domain: string };
    counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  return counts;
}

await describeService('webhooks and kill -9', (fresh) => {
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  it('the next process delivers an event whose process was killed before or during its delivery', async () => {
    const at = await fresh();
    const env = {
      DATA_DIR: at.dataDir,
      OUTBOUND_ALLOW: receiver.origin,
      ...(at.url === null ? {} : { DATABASE_URL: at.url }),
    };
    const first = await serveSignalpost(env);
    const { account } = first;
    await first.call('POST', '/v1/webhooks', { url: receiver.url, events: [spam] });
    const db = await openDatabase(at);
    try {
      receiver.behave(() => {});
      await tell(db, account, ['middle.example']);
      await until(() => receiver.received.length === 1);
      await tell(db, account, ['between.example']);
      await first.stop('SIGKILL');
      receiver.behave(accept);
      // As if the lease of the killed process had expired.
      await db.write.updateTable('webhook_deliveries').set({ due_at: 0 }).where('due_at', 'is not', null).execute();
      const second = await serveSignalpost(env);
      const states = async (): Promise<string[]> =>
        (await db.read.selectFrom('webhook_deliveries').select('state').execute()).map(({ state }) => state);
      await until(async () => (await states()).join() === 'delivered,delivered');
      assert.ok(countByDomain(receiver).has('between.example'));
      assert.equal(countByDomain(receiver).get('middle.example'), 2);
      await second.stop();
    } finally {
      await db.close();
    }
  });
});

const withoutPostgres = await missingService(postgresServer);

describe('webhooks of several processes', () => {
  const shareWork = async (env: NodeJS.ProcessEnv, instances: number, at: Parameters<typeof openDatabase>[0]) => {
    const receiver = await startReceiver();
    const serving: Serving[] = [];
    const db = await openDatabase(at);
    try {
      for (let count = 0; count < instances; count += 1) {
        serving.push(await serveSignalpost({ ...env, OUTBOUND_ALLOW: receiver.origin }));
      }
      const account = serving[0]?.account ?? '';
      await serving[0]?.call('POST', '/v1/webhooks', { url: receiver.url, events: [spam] });
      const domains = Array.from({ length: 300 }, (_, index) => `d${index}.example`);
      for (let start = 0; start < domains.length; start += 30) {
        await tell(db, account, domains.slice(start, start + 30));
      }
      const waiting = () => db.read.selectFrom('webhook_deliveries').select('id').where('state', '=', 'waiting');
      await until(async () => (await waiting().execute()).length === 0);
      assert.deepEqual([...countByDomain(receiver)].toSorted(), domains.map((domain) => [domain, 1]).toSorted());
    } finally {
      await Promise.all(serving.map((one) => one.stop()));
      await db.close();
      await receiver.close();
    }
  };

  it('two instances on one PostgreSQL deliver every event once', { skip: withoutPostgres }, async () => {
    const at = { url: await postgresUrl(), dataDir: temporaryDirectory() };
    await shareWork({ DATABASE_URL: at.url, DATA_DIR: at.dataDir }, 2, at);
  });

  it('the workers of one instance on SQLite deliver every event once', async () => {
    const dataDir = temporaryDirectory();
    await shareWork({ DATA_DIR: dataDir, WORKERS: '2' }, 1, { url: null, dataDir });
  });
});
