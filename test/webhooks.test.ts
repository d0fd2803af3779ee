import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { announce } from '../src/webhooks/announce-store.ts';
import type { WebhookEvent } from '../src/webhooks/events.ts';
import { describeService } from './engines.ts';
import { eventually, until } from './eventually.ts';
import { realClock, type StartedApp, startApp, type TestAccount } from './start-app.ts';
import { type WebhookClient, type WireDelivery, webhookClient } from './webhook-client.ts';
import { accept, type Received, type Receiver, startReceiver } from './webhook-receiver.ts';

const spam = 'domain.flagged.spam';
const flagged = (domain: string): WebhookEvent => ({ type: spam, data: { domain }, atMs: Date.now() });

const deliveriesOf = (webhook?: { id: string }) => `/v1/webhooks/${webhook?.id}/deliveries`;

await describeService('delivering webhooks', (fresh) => {
  let started: StartedApp;
  let account: TestAccount;
  let client: WebhookClient;
  let receiver: Receiver;
  let elsewhere: Receiver;
  let away: Receiver;
  before(async () => {
    [receiver, elsewhere, away] = [await startReceiver(), await startReceiver(), await startReceiver()];
    const allowed = [receiver.origin, away.origin].join();
    started = await startApp(
      { OUTBOUND_ALLOW: allowed },
      { database: await fresh(), clock: realClock(), maxJobPauseMs: 100 },
    );
  });
  beforeEach(async () => {
    account = await started.createAccount();
    client = webhookClient(started, account.keys.production);
  });
  afterEach(() => receiver.behave(accept));
  after(async () => {
    await started.close();
    await Promise.all([receiver.close(), elsewhere.close(), away.close()]);
  });

  const tell = (...domains: string[]) =>
    started.db.transaction((trx) =>
      announce(trx, { accountId: account.id, environment: 'production' }, domains.map(flagged)),
    );
  const requestsAbout = (domain: string): Received[] => receiver.received.filter(({ body }) => body.includes(domain));
  const requestAbout = async (domain: string): Promise<Received> => {
    await until(() => requestsAbout(domain).length > 0);
    return requestsAbout(domain)[0] as Received;
  };
  const lastDelivery = async (id: string, isWanted: (delivery: WireDelivery) => boolean): Promise<WireDelivery> => {
    let last: WireDelivery | undefined;
    await eventually(async () => {
      last = (await client.deliveries(id))[0];
      assert.ok(last !== undefined && isWanted(last), JSON.stringify(last));
    }, 30_000);
    return last as WireDelivery;
  };
  const everTried = ({ attempts }: WireDelivery): boolean => attempts > 0;

  it('an event is delivered once, signed as Standard Webhooks requires, and its delivery is recorded', async () => {
    const { id, secret } = await client.create({ url: receiver.url });
    await tell('standard.example');
    const { headers, body } = await requestAbout('standard.example');
    const verified = new StandardWebhook(secret).verify(body, headers as Record<string, string>) as {
      type: string;
      timestamp: string;
      data: unknown;
    };
    assert.deepEqual([verified.type, verified.data], [spam, { domain: 'standard.example' }]);
    assert.match(verified.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    assert.throws(() => new StandardWebhook(secret).verify(`${body} `, headers as Record<string, string>));
    const delivery = await lastDelivery(id, everTried);
    assert.deepEqual(
      [delivery.state, delivery.attempts, delivery.response_status, delivery.response_body, delivery.error],
      ['delivered', 1, 200, 'thank you', null],
    );
    assert.equal(delivery.event_id, headers['webhook-id']);
    assert.deepEqual(delivery.data, { domain: 'standard.example' });
    assert.equal(requestsAbout('standard.example').length, 1);
  });

  it("an event in the UserCheck format has that format's body, headers and signature", async () => {
    const { id, secret } = await client.create({ url: receiver.url, format: 'usercheck' });
    await tell('usercheck.example');
    const { headers, body } = await requestAbout('usercheck.example');
    const { created_at, ...rest } = JSON.parse(body);
    assert.deepEqual(rest, { event: spam, data: { domain: 'usercheck.example' } });
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    const delivery = await lastDelivery(id, everTried);
    const named = ['signature', 'event-type', 'delivery-id', 'attempt'].map((name) => headers[`x-usercheck-${name}`]);
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    assert.deepEqual(named, [signature, spam, delivery.id, '1']);
    assert.equal(headers['webhook-signature'], undefined);
  });

  it('after a rotation, an event is signed with both the new and the old secret', async () => {
    const { id, secret: old } = await client.create({ url: receiver.url });
    const rotated = await client.call<{ data: { secret: string } }>('POST', `/v1/webhooks/${id}/rotate-secret`);
    await tell('rotated.example');
    const { headers, body } = await requestAbout('rotated.example');
    for (const secret of [old, rotated.json.data.secret]) {
      new StandardWebhook(secret).verify(body, headers as Record<string, string>);
    }
    assert.equal(headers['webhook-signature']?.toString().split(' ').length, 2);
  });

  it('a secret that was replaced more than a day ago no longer signs', async () => {
    const { id, secret: old } = await client.create({ url: receiver.url });
    await client.call('POST', `/v1/webhooks/${id}/rotate-secret`);
    const past = { old_secret_until: Date.now() - 1 };
    await started.db.write.updateTable('webhooks').set(past).where('id', '=', id).execute();
    await tell('long-rotated.example');
    const { headers, body } = await requestAbout('long-rotated.example');
    assert.throws(() => new StandardWebhook(old).verify(body, headers as Record<string, string>));
  });

  it('a test event is marked as a test, and is not retried when it fails', async () => {
    const { id } = await client.create({ url: receiver.url });
    receiver.behave((response) => response.writeHead(500).end());
    await client.call('POST', `/v1/webhooks/${id}/test`);
    const delivery = await lastDelivery(id, everTried);
    assert.deepEqual([delivery.event, delivery.state, delivery.response_status], ['webhook.test', 'failed', 500]);
    const { body } = await requestAbout('webhook.test');
    assert.deepEqual(JSON.parse(body).data, { test: true, domain: 'example.com' });
  });

  it('an event for an unavailable receiver is delivered once it recovers', async () => {
    const { id } = await client.create({ url: away.url });
    await away.close();
    await tell('away.example');
    const failed = await lastDelivery(id, everTried);
    assert.deepEqual([failed.state, failed.response_status], ['waiting', null]);
    assert.notEqual(failed.error, null);
    assert.notEqual((await client.read(id)).failing_since, null);
    away = await startReceiver(accept, Number(new URL(away.origin).port));
    const delivery = await lastDelivery(id, ({ state }) => state === 'delivered');
    assert.ok(delivery.attempts > 1);
    assert.equal((await client.read(id)).failing_since, null);
    assert.deepEqual(
      away.received.map(({ headers }) => headers['webhook-id']),
      [delivery.event_id],
    );
  });

  it("an event is not retried before the receiver's Retry-After", async () => {
    const { id } = await client.create({ url: receiver.url });
    receiver.behave((response) => response.writeHead(429, { 'retry-after': '1800' }).end('slowly'));
    await tell('slowly.example');
    const { state, next_attempt_at: next } = await lastDelivery(id, everTried);
    assert.equal(state, 'waiting');
    const waitMs = Date.parse(String(next)) - Date.now();
    assert.ok(waitMs > 1_500_000 && waitMs <= 1_801_000, `${waitMs}`);
  });

  it('an event keeps its id when it is retried after the receiver closed the connection', async () => {
    const { id } = await client.create({ url: receiver.url });
    receiver.behave((response) => response.destroy());
    await tell('closed.example');
    const failed = await lastDelivery(id, everTried);
    assert.deepEqual([failed.state, failed.attempts, failed.response_status], ['waiting', 1, null]);
    receiver.behave(accept);
    const delivery = await lastDelivery(id, ({ state }) => state === 'delivered');
    const ids = requestsAbout('closed.example').map(({ headers }) => headers['webhook-id']);
    assert.deepEqual(ids, [delivery.event_id, delivery.event_id]);
  });

  it('an event whose last attempt fails is listed as failed, and can be sent again by hand', async () => {
    const { id } = await client.create({ url: receiver.url });
    receiver.behave((response) => response.writeHead(503).end('later'));
    await tell('given-up.example');
    await lastDelivery(id, everTried);
    const last = { attempts: 10, due_at: 0 };
    await started.db.write.updateTable('webhook_deliveries').set(last).where('webhook_id', '=', id).execute();
    const failed = await lastDelivery(id, ({ state }) => state === 'failed');
    assert.deepEqual(
      [failed.attempts, failed.response_body, failed.error, failed.next_attempt_at],
      [11, 'later', 'The receiver answered with status 503', null],
    );
    receiver.behave(accept);
    const retry = await client.call<{ data: WireDelivery }>('POST', `/v1/webhooks/${id}/deliveries/${failed.id}/retry`);
    assert.deepEqual([retry.status, retry.json.data.state], [200, 'waiting']);
    await lastDelivery(id, ({ state }) => state === 'delivered');
  });

  it('a webhook that has failed for five days is disabled with a reason, and gets no more deliveries', async () => {
    const { id } = await client.create({ url: receiver.url });
    receiver.behave((response) => response.writeHead(410).end());
    const longAgo = { failing_since: Date.now() - 5 * 86_400_000 - 60_000 };
    await started.db.write.updateTable('webhooks').set(longAgo).where('id', '=', id).execute();
    await tell('five-days.example');
    await until(async () => !(await client.read(id)).enabled);
    const { disabled_reason } = await client.read(id);
    assert.match(disabled_reason ?? '', /five days/);
    await tell('after-five-days.example');
    assert.equal((await client.deliveries(id)).length, 1);
    const acts = started.db.read.selectFrom('audit').select(['action', 'actor_kind']).where('subject', '=', id);
    const disabled = (await acts.execute()).filter(({ action }) => action === 'webhook.switched_off');
    assert.deepEqual(disabled, [{ action: 'webhook.switched_off', actor_kind: 'service' }]);
  });

  it('pending deliveries of a disabled webhook are sent when it is enabled again', async () => {
    const { id } = await client.create({ url: receiver.url });
    await started.db.transaction(async (trx) => {
      await announce(trx, { accountId: account.id, environment: 'production' }, [flagged('off-and-on.example')]);
      await trx.updateTable('webhooks').set({ enabled: 0 }).where('id', '=', id).execute();
    });
    await client.call('PATCH', `/v1/webhooks/${id}`, { enabled: true });
    await requestAbout('off-and-on.example');
  });

  describe('a receiver that misbehaves', () => {
    it('a redirect to a private address is not followed', async () => {
      const { id } = await client.create({ url: receiver.url });
      receiver.behave((response) => response.writeHead(302, { location: elsewhere.url }).end());
      await tell('redirect.example');
      const delivery = await lastDelivery(id, everTried);
      assert.deepEqual([delivery.state, delivery.response_status], ['waiting', 302]);
      assert.deepEqual(elsewhere.received, []);
    });

    it('a 200 response without end counts as success; a thousand characters are stored and the rest is not read', async () => {
      const { id } = await client.create({ url: receiver.url });
      let sent = 0;
      let closed = false;
      receiver.behave((response) => {
        response.writeHead(200);
        response.on('close', () => {
          closed = true;
        });
        const chunk = 'é'.repeat(32_768);
        const write = (): void => {
          if (closed) return;
          sent += chunk.length;
          if (response.write(chunk)) setImmediate(write);
          else response.once('drain', write);
        };
        write();
      });
      await tell('endless.example');
      const delivery = await lastDelivery(id, everTried);
      assert.deepEqual([delivery.state, delivery.response_body], ['delivered', 'é'.repeat(1_000)]);
      await until(() => closed);
      assert.ok(sent < 64 * 1024 * 1024, `${sent} characters were read`);
    });

    it('a response body that the database cannot store does not fail the delivery', async () => {
      const { id } = await client.create({ url: receiver.url });
      receiver.behave((response) => response.writeHead(200).end(Buffer.from([0, 0xff, 0x61, 0])));
      await tell('bytes.example');
      const delivery = await lastDelivery(id, everTried);
      assert.deepEqual([delivery.state, delivery.response_body], ['delivered', '\uFFFD\uFFFDa\uFFFD']);
    });

    it('receivers that never respond do not delay others, and get only a few concurrent requests', async () => {
      const paths = ['/silent/1', '/silent/2', '/silent/3'];
      const silent = await Promise.all(paths.map((path) => client.create({ url: receiver.origin + path })));
      const open = new Map<string, number>();
      let maxOpen = 0;
      receiver.behave((response, received) => {
        const { url } = received;
        if (!url.startsWith('/silent')) return accept(response, received);
        open.set(url, (open.get(url) ?? 0) + 1);
        maxOpen = Math.max(maxOpen, open.get(url) ?? 0);
        response.on('close', () => open.set(url, (open.get(url) ?? 0) - 1));
      });
      const domains = Array.from({ length: 40 }, (_, index) => `crowd${index}.example`);
      await tell(...domains);
      const sentTo = (path: string): number => receiver.received.filter(({ url }) => url === path).length;
      await until(() => paths.every((path) => sentTo(path) > 0));
      await client.create({ url: `${receiver.origin}/good` });
      await tell(...domains);
      await until(() => sentTo('/good') === 40);
      assert.ok(maxOpen <= 4, `${maxOpen} concurrent requests`);
      for (const { id } of silent) {
        assert.ok((await client.deliveries(id)).every(({ state }) => state === 'waiting'));
      }
      await until(async () => {
        const errors = (await client.call<{ data: WireDelivery[] }>('GET', `${deliveriesOf(silent[0])}?limit=100`))
          .json;
        return errors.data.some(({ error }) => error === 'No answer within 5000 ms');
      });
    });
  });
});
