import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { until } from '../../test/eventually.ts';
import { gateClient } from '../../test/gate-client.ts';
import { type StartedApp, startApp, type TestAccount } from '../../test/start-app.ts';
import { type WebhookClient, type WireDelivery, type WireWebhook, webhookClient } from '../../test/webhook-client.ts';
import { createSecretBox } from '../db/secret-box.ts';
import { eventTypes } from './events.ts';
import { rewriteDeliveries } from './removal-store.ts';
import { countUnreadableSecrets } from './stored-secrets-store.ts';

const startMs = Date.UTC(2026, 10, 15, 0, 20);
const missing = '01k00000000000000000000000';

/** Every endpoint of a webhook; the test fills in the ids. */
const calls = [
  ['GET', '/v1/webhooks/HOOK'],
  ['PATCH', '/v1/webhooks/HOOK', { enabled: false }],
  ['DELETE', '/v1/webhooks/HOOK'],
  ['POST', '/v1/webhooks/HOOK/rotate-secret'],
  ['POST', '/v1/webhooks/HOOK/test'],
  ['GET', '/v1/webhooks/HOOK/deliveries'],
  ['POST', '/v1/webhooks/HOOK/deliveries/DELIVERY/retry'],
] as const;

await describeEngines('webhooks', (fresh) => {
  let started: StartedApp;
  let account: TestAccount;
  let client: WebhookClient;
  before(async () => {
    const variables = { OUTBOUND_ALLOW: 'http://intranet.example:8000,http://127.0.0.1:9' };
    started = await startApp(variables, { database: await fresh(), nowMs: startMs });
  });
  beforeEach(async () => {
    started.clock.set(startMs);
    account = await started.createAccount();
    client = webhookClient(started, account.keys.production);
  });
  after(() => started.close());

  describe('200', () => {
    it('a new webhook has default settings, and only the response that creates it contains the secret', async () => {
      const { secret, ...made } = await client.create();
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      const { id, ...rest } = made;
      assert.match(id, /^[0-9a-z]{26}$/);
      assert.deepEqual(rest, {
        url: 'https://receiver.example/',
        description: null,
        events: ['domain.flagged.spam'],
        gate_ids: [],
        actions: [],
        format: 'standard',
        enabled: true,
        disabled_reason: null,
        failing_since: null,
        old_secret_valid_until: null,
        created_at: '2026-11-15T00:20:00+00:00',
        updated_at: '2026-11-15T00:20:00+00:00',
      });
      assert.deepEqual(await client.read(id), made);
      const { json } = await client.call<{ data: WireWebhook[] }>('GET', '/v1/webhooks');
      assert.deepEqual(json, { data: [made] });
    });

    it('a PATCH with an unchanged webhook changes nothing, and a PATCH with some fields changes only those', async () => {
      const { secret: _secret, ...made } = await client.create({ description: 'Ours', format: 'usercheck' });
      started.clock.advance(1_000);
      const same = await client.call<{ data: WireWebhook }>('PATCH', `/v1/webhooks/${made.id}`, made);
      assert.deepEqual(same.json.data, { ...made, updated_at: '2026-11-15T00:20:01+00:00' });
      const change = { url: 'http://127.0.0.1:9/x', events: ['gate.decision', 'gate.decision'], actions: ['block'] };
      const { json } = await client.call<{ data: WireWebhook }>('PATCH', `/v1/webhooks/${made.id}`, change);
      assert.deepEqual(json.data, { ...same.json.data, ...change, events: ['gate.decision'] });
      assert.deepEqual(await client.read(made.id), json.data);
    });

    it('rotating a secret creates a new one and keeps the old one for a day', async () => {
      const made = await client.create();
      const { json } = await client.call<{ data: WireWebhook }>('POST', `/v1/webhooks/${made.id}/rotate-secret`);
      assert.match(json.data.secret ?? '', /^whsec_/);
      assert.notEqual(json.data.secret, made.secret);
      assert.equal(json.data.old_secret_valid_until, '2026-11-16T00:20:00+00:00');
      const row = await started.db.read
        .selectFrom('webhooks')
        .select(['secret', 'old_secret'])
        .where('id', '=', made.id)
        .executeTakeFirst();
      const opened = Object.values(row ?? {}).map((sealed) => started.db.secrets.open(sealed ?? ''));
      assert.deepEqual(opened, [json.data.secret, made.secret]);
      assert.doesNotMatch(JSON.stringify(row), /whsec_/);
    });

    it('secrets that were encrypted with another key are counted', async () => {
      const made = await client.create();
      const secret = createSecretBox('the key of another instance', '').seal(made.secret);
      await started.db.write.updateTable('webhooks').set({ secret }).where('id', '=', made.id).execute();
      assert.equal(await countUnreadableSecrets(started.db), 1);
      await client.call('POST', `/v1/webhooks/${made.id}/rotate-secret`);
      assert.equal(await countUnreadableSecrets(started.db), 0);
    });

    it('erasing a text rewrites data and responses of deliveries', async () => {
      const { id } = await client.create();
      await client.call('POST', `/v1/webhooks/${id}/test`);
      // The outcome of the first attempt would overwrite the response.
      await until(async () => ((await client.deliveries(id))[0]?.attempts ?? 0) > 0);
      const all = started.db.write.updateTable('webhook_deliveries').where('webhook_id', '=', id);
      await all.set({ data: '{"name":"ä jane"}', response_body: 'jane' }).execute();
      await rewriteDeliveries(started.db, account.id, (text) => text.replace('jane', '[erased]'));
      const [delivery] = await client.deliveries(id);
      assert.deepEqual([delivery?.data, delivery?.response_body], [{ name: 'ä [erased]' }, '[erased]']);
    });

    it('enabling a webhook clears the reason why it was disabled', async () => {
      const made = await client.create();
      await started.db.write
        .updateTable('webhooks')
        .set({ enabled: 0, disabled_reason: 'It failed for five days.', failing_since: startMs })
        .where('id', '=', made.id)
        .execute();
      const off = await client.read(made.id);
      assert.deepEqual(
        [off.enabled, off.disabled_reason, off.failing_since],
        [false, 'It failed for five days.', '2026-11-15T00:20:00+00:00'],
      );
      await client.call('PATCH', `/v1/webhooks/${made.id}`, { enabled: true });
      const on = await client.read(made.id);
      assert.deepEqual([on.enabled, on.disabled_reason, on.failing_since], [true, null, null]);
    });

    it('deliveries are listed newest first and in pages', async () => {
      const made = await client.create();
      const ids = [];
      for (let times = 0; times < 3; times += 1) {
        started.clock.advance(1_000);
        const sent = await client.call<{ data: WireDelivery }>('POST', `/v1/webhooks/${made.id}/test`);
        assert.equal(sent.status, 201);
        ids.unshift(sent.json.data.id);
      }
      type Page = { data: WireDelivery[]; meta: { next_cursor: string | null } };
      const path = `/v1/webhooks/${made.id}/deliveries?limit=2`;
      const first = (await client.call<Page>('GET', path)).json;
      const second = (await client.call<Page>('GET', `${path}&cursor=${first.meta.next_cursor}`)).json;
      assert.deepEqual(
        [...first.data, ...second.data].map(({ id }) => id),
        ids,
      );
      assert.equal(second.meta.next_cursor, null);
    });

    it('a second test event within the same second returns the same delivery', async () => {
      const made = await client.create();
      const test = () => client.call<{ data: WireDelivery }>('POST', `/v1/webhooks/${made.id}/test`);
      const [one, other] = [await test(), await test()];
      assert.equal(one.json.data.event, 'webhook.test');
      assert.equal(one.json.data.id, other.json.data.id);
    });

    it('the audit trail contains every change to a webhook, without its secret', async () => {
      const made = await client.create();
      await client.call('PATCH', `/v1/webhooks/${made.id}`, { description: 'Ours' });
      await client.call('POST', `/v1/webhooks/${made.id}/rotate-secret`);
      await client.call('DELETE', `/v1/webhooks/${made.id}`);
      const rows = await started.db.read
        .selectFrom('audit')
        .selectAll()
        .where('subject', '=', made.id)
        .orderBy('at')
        .execute();
      assert.deepEqual(rows.map(({ action }) => action).toSorted(), [
        'webhook.changed',
        'webhook.created',
        'webhook.removed',
        'webhook.secret_rotated',
      ]);
      assert.doesNotMatch(JSON.stringify(rows), /whsec_/);
    });
  });

  describe('403', () => {
    it('webhooks require a Pro plan', async () => {
      const free = await started.createAccount({ plan: 'free' });
      const { status, json } = await webhookClient(started, free.keys.production).call('GET', '/v1/webhooks');
      assert.deepEqual([status, json.error], [403, 'pro_only']);
    });
  });

  describe('404', () => {
    for (const call of calls) {
      it(`a webhook of another account or environment: ${call[0]} ${call[1]} responds as for a missing one, and changes nothing`, async () => {
        const made = await client.create();
        const other = await started.createAccount();
        const before = await client.read(made.id);
        const [method, path, body] = call;
        for (const key of [other.keys.production, account.keys.staging]) {
          const ask = (id: string) =>
            webhookClient(started, key).call(
              method,
              path.replace('HOOK', id).replace('DELIVERY', missing.toUpperCase()),
              body,
            );
          const foreign = await ask(made.id);
          const absent = await ask(missing);
          assert.deepEqual([foreign.status, foreign.json.error], [404, 'webhook_not_found']);
          assert.equal(foreign.text, absent.text);
        }
        assert.deepEqual(await client.read(made.id), before);
      });

      it(`a webhook: ${call[0]} ${call[1]} without a key is 401`, async () => {
        const [method, path] = call;
        const { status } = await started.request(method, path.replace('HOOK', missing).replace('DELIVERY', missing));
        assert.equal(status, 401);
      });
    }

    it('a delivery of another webhook and a malformed id are not found', async () => {
      const [one, other] = [await client.create(), await client.create()];
      const { json } = await client.call<{ data: WireDelivery }>('POST', `/v1/webhooks/${one.id}/test`);
      for (const id of [json.data.id, 'x', '%00']) {
        const answer = await client.call('POST', `/v1/webhooks/${other.id}/deliveries/${id}/retry`);
        assert.deepEqual([answer.status, answer.json.error], [404, 'delivery_not_found']);
      }
    });

    it('a removed webhook and its deliveries are not found', async () => {
      const made = await client.create();
      await client.call('POST', `/v1/webhooks/${made.id}/test`);
      const removed = await client.call('DELETE', `/v1/webhooks/${made.id}`);
      assert.equal(removed.status, 204);
      for (const path of ['', '/deliveries']) {
        assert.equal((await client.call('GET', `/v1/webhooks/${made.id}${path}`)).status, 404);
      }
    });
  });

  describe('409', () => {
    it('a disabled webhook rejects test events and retries', async () => {
      const made = await client.create({ enabled: false });
      for (const path of ['test', `deliveries/${missing.toUpperCase()}/retry`]) {
        const { status, json } = await client.call('POST', `/v1/webhooks/${made.id}/${path}`);
        assert.deepEqual([status, json.error], [409, 'webhook_disabled']);
      }
    });
  });

  describe('422', () => {
    const refusedUrls: readonly [string, unknown][] = [
      ['plain http to a host on the internet', 'http://receiver.example/'],
      ['plain http to an origin that differs from the allowed one in its port', 'http://intranet.example:8001/'],
      ["the service's own host by its address, which the operator did not allow", 'http://127.0.0.1:8/'],
      ["the service's own host by its name", 'https://localhost:3000/'],
      ["the service's own host in IPv6", 'http://[::1]:8080/hooks'],
      ["the service's own host by its name with a dot", 'https://localhost./'],
      ["a name below the service's own", 'https://foo.localhost/'],
      ['an IPv4 loopback address in IPv6', 'https://[::ffff:127.0.0.1]/'],
      ['the unspecified address', 'https://0.0.0.0/'],
      ['the unspecified address in IPv6', 'https://[::]/'],
      ['a loopback address as a number', 'https://2130706433/'],
      ['a loopback address in hexadecimal', 'https://0x7f.1/'],
      ['a loopback address with a dot', 'https://127.0.0.1./'],
      ['a private address', 'https://10.0.0.5/'],
      ['another scheme', 'ftp://receiver.example/'],
      ['no URL', 'receiver.example'],
      ['credentials', 'https://user:pass@receiver.example/'],
      ['a user alone', 'https://user@receiver.example/'],
      ['a fragment', 'https://receiver.example/#x'],
      ['an empty fragment', 'https://receiver.example/#'],
      ['a blank', 'https://receiver.example/a b'],
      ['a line break, which URL parsers drop', 'https://receiver.\nexample/'],
      ['a host that begins like a loopback address', 'http://127.0.0.1.receiver.example/'],
      ['2,049 characters', `https://receiver.example/${'a'.repeat(2_024)}`],
      ['a number', 7],
    ];
    for (const [what, url] of refusedUrls) {
      it(`rejects a webhook with an invalid url: ${what}`, async () => {
        const { status, json } = await client.call('POST', '/v1/webhooks', { url, events: ['domain.flagged.spam'] });
        assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, ['url']]);
      });
    }

    it('rejects a webhook with a blocked url and names the setting that allows it', async () => {
      const { json } = await client.call('POST', '/v1/webhooks', {
        url: 'http://localhost:3000/hooks',
        events: ['domain.flagged.spam'],
      });
      const message =
        'The url leads to the machine of the service; the operator has to name http://localhost:3000 in OUTBOUND_ALLOW.';
      assert.deepEqual(json.errors, { url: [message] });
    });

    const acceptedUrls = [
      'https://receiver.example/path?query=1',
      'http://127.0.0.1:9/hooks',
      'http://intranet.example:8000/hooks',
      `https://receiver.example/${'a'.repeat(2_023)}`,
    ];
    for (const url of acceptedUrls) {
      it(`creates a webhook with the url ${url.slice(0, 60)}`, async () => {
        assert.equal((await client.create({ url })).url, url);
      });
    }

    const refusedFields: readonly [string, object][] = [
      ['events', { events: [] }],
      ['events', { events: 'domain.flagged.spam' }],
      ['events.0', { events: ['webhook.test'] }],
      ['format', { format: 'xml' }],
      ['gate_ids.0', { gate_ids: ['nope'] }],
      ['gate_ids.0', { gate_ids: ['01k00000000000000000000000'] }],
      ['actions.0', { actions: ['delete'] }],
      ['enabled', { enabled: 'yes' }],
      ['description', { description: 'x'.repeat(501) }],
      ['retries', { retries: 3 }],
    ];
    for (const [field, body] of refusedFields) {
      it(`rejects a webhook with ${JSON.stringify(body).slice(0, 50)}`, async () => {
        const valid = { url: 'https://receiver.example/', events: [...eventTypes] };
        const { status, json } = await client.call('POST', '/v1/webhooks', { ...valid, ...body });
        assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, [field]]);
      });
    }

    it('rejects unknown gates in a change, except those that the webhook already names', async () => {
      const gates = gateClient(started, account.keys.production);
      const [removed, kept] = [await gates.createGate(), await gates.createGate()];
      const elsewhere = await gateClient(started, account.keys.staging).createGate();
      const made = await client.create({ events: ['gate.decision'], gate_ids: [removed.id] });
      await gates.call('DELETE', `/v1/gates/${removed.id}`);
      const change = (gate_ids: string[]) => client.call('PATCH', `/v1/webhooks/${made.id}`, { gate_ids });
      assert.equal((await change([removed.id, kept.id])).status, 200);
      const { status, json } = await change([kept.id, elsewhere.id]);
      assert.deepEqual([status, json.errors], [422, { 'gate_ids.1': ['There is no such gate.'] }]);
    });

    it('an environment holds at most 20 webhooks, even if they are created concurrently', async () => {
      const body = { url: 'https://receiver.example/', events: ['domain.flagged.spam'] };
      const answers = await Promise.all(Array.from({ length: 22 }, () => client.call('POST', '/v1/webhooks', body)));
      assert.equal(answers.filter(({ status }) => status === 201).length, 20);
      const refused = answers.filter(({ status }) => status !== 201);
      assert.deepEqual(
        refused.map(({ json }) => json.error),
        ['webhook_limit_reached', 'webhook_limit_reached'],
      );
      const staging = webhookClient(started, account.keys.staging);
      await staging.create();
    });
  });
});
