import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { until } from '../../test/eventually.ts';
import { type GateClient, gateClient, type WireError } from '../../test/gate-client.ts';
import { type HookCaller, hookCaller, serverSecret, type WireHook } from '../../test/hook-caller.ts';
import { type StartedApp, startApp, type TestAccount } from '../../test/start-app.ts';
import { formatNames } from './formats/all.ts';
import { defaultMessage } from './hook.ts';

const startMs = Date.UTC(2026, 10, 15, 0, 20);
const hourMs = 3_600_000;
const ownSecret = 'a-secret-of-our-own-0123456789';

interface WireTest {
  readonly request: { method: string; url: string; headers: Record<string, string>; body: object };
  readonly response: { status: number; headers: Record<string, string>; body: string };
}

await describeEngines('hooks', (fresh) => {
  let started: StartedApp;
  let account: TestAccount;
  let gates: GateClient;
  let hooks: HookCaller;
  let gateId: string;
  before(async () => {
    const variables = { PUBLIC_URL: 'https://signals.example/base' };
    started = await startApp(variables, { database: await fresh(), nowMs: startMs });
  });
  beforeEach(async () => {
    started.clock.set(startMs);
    account = await started.createAccount();
    gates = gateClient(started, account.keys.production);
    hooks = hookCaller(started, account.keys.production);
    ({ id: gateId } = await gates.createGate());
  });
  after(() => started.close());

  const body = (more: object = {}) => ({ name: 'Sign-up', gate_id: gateId, format: 'generic', ...more });
  const post = <T = { data: WireHook }>(path: string, sent: object) => gates.call<T>('POST', path, sent);

  describe('200', () => {
    it('a new hook has documented defaults, and only the response that creates it contains the secret [H25 H26]', async () => {
      const { json, status } = await post('/v1/hooks', body());
      const { secret, configuration, ...made } = json.data;
      assert.equal(status, 201);
      const { id, ...rest } = made;
      assert.match(id, /^[0-9a-z]{26}$/);
      assert.deepEqual(rest, {
        name: 'Sign-up',
        gate_id: gateId,
        format: 'generic',
        url: `https://signals.example/base/hooks/${id}`,
        enabled: true,
        challenge: 'allow',
        unavailable: 'allow',
        message: defaultMessage,
        secret_hint: secret?.slice(-4),
        last_call_at: null,
        last_error: null,
        calls_24h: { allow: 0, block: 0, no_email: 0, unavailable: 0, rejected: 0, disabled: 0 },
        created_at: '2026-11-15T00:20:00+00:00',
        updated_at: '2026-11-15T00:20:00+00:00',
      });
      assert.ok(JSON.stringify(configuration).includes(String(secret)));
      const read = await hooks.read(id);
      assert.ok(!JSON.stringify(read).includes(String(secret)));
      const rows = await started.db.read.selectFrom('hooks').selectAll().where('id', '=', id).execute();
      assert.ok(!JSON.stringify(rows).includes(String(secret)));
    });

    it('generates a secret in the form that each server expects, or takes the given one [H27]', async () => {
      for (const format of formatNames) {
        const { data } = (await post('/v1/hooks', body({ format }))).json;
        if (format === 'zitadel' || format === 'workos')
          assert.deepEqual([data.secret, data.secret_hint], [null, null]);
        else if (format === 'supabase') assert.match(String(data.secret), /^v1,whsec_[A-Za-z0-9+/]{43}=$/);
        else assert.match(String(data.secret), /^[\x21-\x7e]{24,200}$/);
      }
      const given = await post('/v1/hooks', body({ format: 'okta', secret: ownSecret }));
      assert.equal(given.json.data.secret, ownSecret);
    });

    it('calls are 401 until the secret that the server makes is set [H27]', async () => {
      const { data } = (await post('/v1/hooks', body({ format: 'workos' }))).json;
      const hook = { ...data, secret: serverSecret };
      const refused = await hooks.call(hook, { email: 'jane@example.com' });
      assert.equal(refused.status, 401);
      assert.match(refused.text, /no secret yet/);
      assert.equal((await post(`/v1/hooks/${data.id}/secret`, {})).status, 422);
      const set = await post(`/v1/hooks/${data.id}/secret`, { secret: serverSecret });
      assert.deepEqual([set.status, set.json.data.secret], [200, serverSecret]);
      assert.equal((await hooks.call(hook, { email: 'jane@example.com' })).status, 200);
    });

    it('a rotation keeps the old secret for 24 hours, a second one ends it, and keep_old: false ends it now [H28]', async () => {
      const hook = await hooks.create(body());
      const rotate = async (sent: object) => String((await post(`/v1/hooks/${hook.id}/secret`, sent)).json.data.secret);
      const status = async (secret: string) => (await hooks.call({ ...hook, secret }, {})).status;
      const second = await rotate({});
      assert.deepEqual([await status(hook.secret), await status(second)], [200, 200]);
      started.clock.advance(24 * hourMs);
      assert.deepEqual([await status(hook.secret), await status(second)], [401, 200]);
      const third = await rotate({ secret: ownSecret });
      assert.deepEqual([third, await status(second), await status(third)], [ownSecret, 200, 200]);
      const fourth = await rotate({ keep_old: false });
      assert.deepEqual([await status(second), await status(third), await status(fourth)], [401, 401, 200]);
    });

    it('accepts a hook as it was read, and changes what is given [H25]', async () => {
      const { id } = await hooks.create(body());
      const read = await hooks.read(id);
      const same = await gates.call<{ data: WireHook }>('PATCH', `/v1/hooks/${id}`, read);
      assert.equal(same.status, 200, same.text);
      started.clock.advance(1_000);
      const change = { name: 'Two', challenge: 'block', unavailable: 'block', message: 'No.', enabled: false };
      const { json } = await gates.call<{ data: WireHook }>('PATCH', `/v1/hooks/${id.toUpperCase()}`, change);
      assert.deepEqual(json.data, { ...read, ...change, updated_at: '2026-11-15T00:20:01+00:00' });
      assert.equal((await gates.call('DELETE', `/v1/hooks/${id}`)).status, 204);
      assert.equal((await gates.call('GET', `/v1/hooks/${id}`)).status, 404);
      assert.equal((await started.request('POST', `/hooks/${id}`, { body: {} })).status, 404);
    });

    it('lists hooks newest first, with calls of the last 24 hours only [H39]', async () => {
      const first = await hooks.create(body());
      await hooks.call(first, { email: 'jane@example.com' });
      started.clock.advance(1);
      const second = await hooks.create(body());
      const list = async () => (await gates.call<{ data: WireHook[] }>('GET', '/v1/hooks')).json.data;
      assert.deepEqual(
        (await list()).map(({ id, calls_24h }) => [id, calls_24h.allow]),
        [
          [second.id, 0],
          [first.id, 1],
        ],
      );
      started.clock.advance(24 * hourMs);
      assert.equal((await hooks.read(first.id)).calls_24h.allow, 0);
    });

    it('a test shows the exchange without secrets, also disabled and before a secret is set; nothing is logged [H31]', async () => {
      await gates.addRule(gateId, {
        name: 'Block',
        action: 'block',
        message: 'Not this domain.',
        conditions: [{ field: 'domain.name', operator: 'equals', value: 'blocked.example' }],
      });
      for (const format of formatNames) {
        const { data } = (await post('/v1/hooks', body({ format, enabled: false }))).json;
        const path = `/v1/hooks/${data.id}/test`;
        const { json, status } = await post<{ data: WireTest }>(path, { email: 'joe@blocked.example', ip: '8.8.8.8' });
        assert.equal(status, 200);
        const { request, response } = json.data;
        assert.deepEqual([request.method, request.url], ['POST', data.url]);
        assert.ok(JSON.stringify(request.headers).includes('…'));
        assert.ok(JSON.stringify(request.body).includes('joe@blocked.example'));
        if (data.secret !== null) assert.ok(!JSON.stringify(json).includes(data.secret));
        if (format !== 'fusionauth') assert.ok(response.body.includes('Not this domain.'), response.body);
        started.clock.advance(1_000);
      }
      const { id } = await hooks.create(body());
      const invalid = await post<{ data: WireTest }>(`/v1/hooks/${id}/test`, { email: 'x' });
      assert.equal(invalid.json.data.response.status, 403);
      const { json } = await gates.call<{ usage: { current: number } }>('GET', '/status');
      assert.equal(json.usage.current, 3 * formatNames.length);
      const log = await gates.call<{ data: unknown[] }>('GET', '/v1/decisions');
      assert.deepEqual(log.json.data, []);
      assert.equal((await hooks.read(id)).last_call_at, null);
    });

    it('changes are in the audit trail without the secret [H30]', async () => {
      const { id, secret } = await hooks.create(body());
      await gates.call('PATCH', `/v1/hooks/${id}`, { name: 'Two' });
      await post(`/v1/hooks/${id}/secret`, {});
      await gates.call('DELETE', `/v1/hooks/${id}`);
      const rows = await started.db.read
        .selectFrom('audit')
        .selectAll()
        .where('subject', '=', id)
        .orderBy('id')
        .execute();
      assert.deepEqual(
        rows.map(({ action, actor_kind }) => [action, actor_kind]).toSorted(),
        ['changed', 'created', 'removed', 'secret_rotated'].map((act) => [`hook.${act}`, 'key']),
      );
      assert.ok(!JSON.stringify(rows).includes(secret));
    });
  });

  describe('403', () => {
    it('a plan without Gates cannot create hooks [H29]', async () => {
      const poor = await started.createAccount({ plan: 'free' });
      const answer = await started.request('POST', '/v1/hooks', { key: poor.keys.production, body: body() });
      assert.equal(answer.status, 403);
    });
  });

  describe('404', () => {
    it('hooks of other environments and accounts answer like missing ones [H29]', async () => {
      const { id } = await hooks.create(body());
      const other = await started.createAccount();
      for (const key of [account.keys.staging, other.keys.production]) {
        const calls = [
          ['GET', '', undefined],
          ['PATCH', '', { name: 'x' }],
          ['DELETE', '', undefined],
          ['POST', '/secret', {}],
          ['POST', '/test', { email: 'jane@example.com' }],
        ] as const;
        for (const [method, path, sent] of calls) {
          const request = { key, ...(sent === undefined ? {} : { body: sent }) };
          const answer = await started.request<WireError>(method, `/v1/hooks/${id}${path}`, request);
          assert.deepEqual([answer.status, answer.json.error], [404, 'hook_not_found'], `${method} ${path}`);
        }
      }
    });
  });

  describe('422', () => {
    const cases: readonly [string, object, string][] = [
      ['a missing name', { name: undefined }, 'name'],
      ['a blank name', { name: '  ' }, 'name'],
      ['a long name', { name: 'x'.repeat(121) }, 'name'],
      ['an unknown gate', { gate_id: '01k00000000000000000000000' }, 'gate_id'],
      ['an unknown format', { format: 'auth0' }, 'format'],
      ['a short secret', { secret: 'x'.repeat(23) }, 'secret'],
      ['a long secret', { secret: 'x'.repeat(201) }, 'secret'],
      ['a secret that is not ASCII', { secret: `${'x'.repeat(30)}é` }, 'secret'],
      ['a secret of another form', { format: 'supabase', secret: ownSecret }, 'secret'],
      ['a Supabase secret of 23 bytes', { format: 'supabase', secret: supabaseSecret(23) }, 'secret'],
      ['a Supabase secret of 65 bytes', { format: 'supabase', secret: supabaseSecret(65) }, 'secret'],
      ['another answer to a challenge', { challenge: 'challenge' }, 'challenge'],
      ['another answer when unavailable', { unavailable: 'wait' }, 'unavailable'],
      ['a blank message', { message: '\t' }, 'message'],
      ['a long message', { message: 'x'.repeat(201) }, 'message'],
      ['an unknown field', { colour: 'red' }, 'colour'],
    ];
    for (const [what, sent, field] of cases) {
      it(`rejects ${what} [H25]`, async () => {
        const answer = await post<WireError>('/v1/hooks', body(sent));
        assert.equal(answer.status, 422, answer.text);
        assert.deepEqual(Object.keys(answer.json.errors ?? {}), [field]);
      });
    }

    it('accepts Supabase secrets of 24 to 64 bytes [H27]', async () => {
      for (const bytes of [24, 25, 26, 63, 64]) {
        const { status, text } = await post('/v1/hooks', body({ format: 'supabase', secret: supabaseSecret(bytes) }));
        assert.equal(status, 201, `${bytes}: ${text}`);
      }
    });

    it('rejects another format of an existing hook [H25]', async () => {
      const { id } = await hooks.create(body());
      const answer = await gates.call('PATCH', `/v1/hooks/${id}`, { format: 'okta' });
      assert.equal(answer.status, 422);
      assert.deepEqual(Object.keys(answer.json.errors ?? {}), ['format']);
    });

    it('holds at most 20 hooks in an environment [H29]', async () => {
      for (let index = 0; index < 20; index += 1) await hooks.create(body());
      const answer = await post<WireError>('/v1/hooks', body());
      assert.deepEqual([answer.status, answer.json.error], [422, 'hook_limit_reached']);
    });
  });

  it('a hook that another process changed takes effect within a second', async () => {
    const hook = await hooks.create(body());
    await started.db.write.updateTable('hooks').set({ enabled: 0 }).where('id', '=', hook.id).execute();
    await started.db.transaction(async (trx) => {
      const { recordChange } = await import('../db/changes.ts');
      await recordChange(trx, 'hooks', `${account.id}/production`, startMs);
    });
    await until(async () => {
      await hooks.call(hook, {});
      return (await hooks.read(hook.id)).calls_24h.disabled !== 0;
    });
  });
});

function supabaseSecret(bytes: number): string {
  return `v1,whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
}
