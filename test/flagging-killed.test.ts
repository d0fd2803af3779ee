import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDatabase } from '../src/db/db.ts';
import { describeService } from './engines.ts';
import { until } from './eventually.ts';
import { jsonInProcess } from './run-in-process.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

/** Enough for several transactions of notifications, so that a comparison takes a while. */
const totalDomains = 600;
/** A comparison may end before the signal arrives; then the test starts another one. */
const maxAttempts = 5;
/** Short beside a comparison, which must not end unseen. */
const pollMs = 5;
/** Test machines are busy. */
const longMs = 120_000;

await describeService('a process that is killed while it compares lists with seen domains', (fresh) => {
  let receiver: Receiver;
  const started: Serving[] = [];
  before(async () => {
    receiver = await startReceiver();
  });
  after(async () => {
    await Promise.all(started.map((serving) => serving.stop('SIGKILL')));
    await receiver.close();
  });

  const isComparing = async (db: Db): Promise<boolean> => {
    const query = db.read.selectFrom('work_leases').select('name').where('name', '=', 'compare lists');
    return (await query.executeTakeFirst()) !== undefined;
  };
  /** The distinct events: a process that was killed during a delivery sends it again after its restart. */
  const notifiedDomains = (): string[] => {
    const domains = receiver.received.map(({ headers, body }) => {
      const { data } = JSON.parse(body) as { data: { domain: string } };
      return [String(headers['webhook-id']), data.domain] as const;
    });
    return [...new Map(domains).values()].sort();
  };

  it('a process that is killed while it compares lists with seen domains loses no event and sends none twice', async () => {
    const at = await fresh();
    const db = await openDatabase(at);
    const env = {
      DATA_DIR: at.dataDir,
      OUTBOUND_ALLOW: receiver.origin,
      ...(at.url === null ? {} : { DATABASE_URL: at.url }),
    };
    const serve = async (): Promise<Serving> => {
      const serving = await serveSignalpost(env);
      started.push(serving);
      return serving;
    };
    let serving = await serve();
    await serving.call('POST', '/v1/webhooks', { url: receiver.url, events: ['domain.flagged.disposable'] });
    const headers = { authorization: `Bearer ${serving.keys.production}` };
    const expected: string[] = [];
    let wasInterrupted = false;
    for (let round = 0; round < maxAttempts && !wasInterrupted; round += 1) {
      const domains = Array.from({ length: totalDomains }, (_, place) => `seen-${round}-${place}.example`);
      for (const domain of domains) await (await fetch(`${serving.url}/domain/${domain}`, { headers })).text();
      const last = (domains.at(-1) ?? '').split('.').reverse().join('.');
      const seen = db.read.selectFrom('seen_domains').select('day').where('name', '=', last);
      await until(async () => (await seen.execute()).length > 0, longMs);
      // A process that was killed before holds the lease until it expires.
      await until(async () => !(await isComparing(db)), longMs);
      await jsonInProcess(['lists', 'add', 'disposable', ...domains], env);
      expected.push(...domains);
      while (!(await isComparing(db)) && notifiedDomains().length < expected.length) await sleep(pollMs);
      await serving.stop('SIGKILL');
      // A process that stops normally releases its lease.
      wasInterrupted = await isComparing(db);
      serving = await serve();
      await until(() => notifiedDomains().length >= expected.length, longMs);
    }
    assert.ok(wasInterrupted, 'no comparison was interrupted');
    await serving.stop();
    await db.close();
    assert.deepEqual(notifiedDomains(), expected.sort());
  });
});
