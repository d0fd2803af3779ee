import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeService } from '../../test/engines.ts';
import { type GateClient, gateClient, type WireError, type WireGate } from '../../test/gate-client.ts';
import type { Response } from '../../test/inject.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';
import { errorTable } from '../errors.ts';
import { fieldCatalogue } from './rules/fields.ts';
import { operatorNames } from './rules/operators.ts';

const nowMs = Date.UTC(2026, 10, 15, 0, 20);
const gateKeys = ['created_at', 'default_action', 'description', 'id', 'name', 'rules_count', 'updated_at', 'wait'];

interface Page {
  readonly data: readonly WireGate[];
  readonly meta: { readonly next_cursor: string | null };
}

await describeService('gates', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs });
    client = gateClient(started);
  });
  after(() => started.close());

  describe('201', () => {
    it('a new gate needs only a name and starts with the rules of the signup preset [D21 D167 D184 D227]', async () => {
      const { status, json } = await client.call<{ data: WireGate }>('POST', '/v1/gates', { name: 'Signup' });
      assert.equal(status, 201);
      const { rules, id, ...gate } = json.data;
      assert.match(id, /^[0-9a-hjkmnp-tv-z]{26}$/);
      assert.deepEqual(gate, {
        name: 'Signup',
        description: null,
        default_action: 'allow',
        wait: [],
        rules_count: 8,
        created_at: '2026-11-15T00:20:00+00:00',
        updated_at: '2026-11-15T00:20:00+00:00',
      });
      assert.deepEqual(
        rules.map(({ name, action, stop, position }) => [name, action, stop, position]),
        [
          ['Blocklisted domain', 'block', true, 0],
          ['Disposable email', 'block', true, 1],
          ['No MX records', 'block', true, 2],
          ['Spam domain', 'block', true, 3],
          ['Tor, VPN or proxy', 'challenge', false, 4],
          ['Very young domain', 'challenge', false, 5],
          ['Many sign-ups from one network', 'challenge', false, 6],
          ['Part of a wave', 'challenge', false, 7],
        ],
      );
      assert.deepEqual(await client.readGate(id), json.data);
    });

    it('a new gate may be described in full, and one with the preset none has no rules [D166 D228]', async () => {
      const body = { name: 'n'.repeat(120), description: 'd'.repeat(500), default_action: 'challenge', preset: 'none' };
      const { json } = await client.call<{ data: WireGate }>('POST', '/v1/gates', body);
      const { name, description, default_action, rules, rules_count } = json.data;
      assert.deepEqual(
        { name, description, default_action, rules, rules_count },
        { name: body.name, description: body.description, default_action: 'challenge', rules: [], rules_count: 0 },
      );
    });
  });

  describe('200', () => {
    it('the list of gates is paged, newest first, without rules, and every gate comes once [D161 D165]', async () => {
      const { keys } = await started.createAccount();
      const own = gateClient(started, keys.staging);
      const made: string[] = [];
      for (let count = 0; count < 7; count += 1) {
        started.clock.advance(1);
        made.unshift((await own.createGate({ name: `Gate ${count}` })).id);
      }
      const seen: string[] = [];
      const pages: number[] = [];
      for (let cursor = ''; ; ) {
        const { status, json } = await own.call<Page>('GET', `/v1/gates?limit=3${cursor}`);
        assert.equal(status, 200);
        for (const gate of json.data) assert.deepEqual(Object.keys(gate).sort(), gateKeys);
        pages.push(json.data.length);
        seen.push(...json.data.map(({ id }) => id));
        if (json.meta.next_cursor === null) break;
        cursor = `&cursor=${encodeURIComponent(json.meta.next_cursor)}`;
      }
      assert.deepEqual(pages, [3, 3, 1]);
      assert.deepEqual(seen, made);
      assert.equal((await own.call<Page>('GET', '/v1/gates')).json.data.length, 7);
    });

    it('an empty list of gates has no next page', async () => {
      const { keys } = await started.createAccount();
      const { json } = await gateClient(started, keys.production).call('GET', '/v1/gates');
      assert.deepEqual(json, { data: [], meta: { next_cursor: null } });
    });

    it('a change of a gate touches what it names and nothing else [D168]', async () => {
      const gate = await client.createGate({ description: 'Before', preset: 'signup' });
      started.clock.advance(5_000);
      const { status, json } = await client.call<{ data: WireGate }>('PATCH', `/v1/gates/${gate.id}`, {
        name: 'After',
        default_action: 'block',
      });
      assert.equal(status, 200);
      const { updated_at, ...rest } = json.data;
      const { updated_at: updatedBefore, ...before } = gate;
      assert.deepEqual(rest, { ...before, name: 'After', default_action: 'block' });
      assert.ok(String(updated_at) > String(updatedBefore));
      assert.deepEqual(await client.readGate(gate.id), json.data);
      const cleared = await client.call<{ data: WireGate }>('PATCH', `/v1/gates/${gate.id}`, { description: null });
      assert.equal(cleared.json.data.description, null);
    });

    it('a change of a gate that names nothing changes nothing, not even the time', async () => {
      const gate = await client.createGate();
      started.clock.advance(5_000);
      const { json } = await client.call<{ data: WireGate }>('PATCH', `/v1/gates/${gate.id}`, {});
      assert.deepEqual(json.data, gate);
    });

    it('the list of fields is that of the catalogue [D183]', async () => {
      const { status, json } = await client.call<{ data: unknown }>('GET', '/v1/fields');
      assert.equal(status, 200);
      const shown = fieldCatalogue().map(({ listKinds, ...field }) => ({
        ...field,
        ...(listKinds && { list_kinds: listKinds }),
      }));
      assert.deepEqual(json.data, shown);
    });

    it('the list of fields describes every operator with its label and the shape of its value', async () => {
      const { json } = await client.call<{ operators: { name: string }[] }>('GET', '/v1/fields');
      assert.deepEqual(
        json.operators.map(({ name }) => name),
        operatorNames,
      );
      const described = (wanted: string) => json.operators.find(({ name }) => name === wanted);
      assert.deepEqual(described('between'), {
        name: 'between',
        label: 'is between',
        negated: false,
        value: { kind: 'range', min_items: 2, max_items: 2, pattern: false },
      });
      assert.deepEqual(described('not_in'), {
        name: 'not_in',
        label: 'is none of',
        negated: true,
        value: { kind: 'list', min_items: 1, max_items: 1000, max_length: 1000, pattern: false },
      });
      assert.deepEqual(described('is_known'), {
        name: 'is_known',
        label: 'is known',
        negated: false,
        value: { kind: 'none', pattern: false },
      });
    });

    it('HEAD is answered where GET is', async () => {
      assert.equal((await client.call('HEAD', '/v1/fields')).status, 200);
    });
  });

  describe('204', () => {
    it('a removed gate is gone with its rules, its log and its statistics [D169]', async () => {
      const gate = await client.createGate({ preset: 'signup' });
      await client.decide(gate.id, { email: 'a@mailinator.com' });
      const answer = await client.call('DELETE', `/v1/gates/${gate.id}`);
      assert.deepEqual([answer.status, answer.text], [204, '']);
      for (const path of ['', '/rules', '/decisions', '/stats']) {
        const { status, json } = await client.call('GET', `/v1/gates/${gate.id}${path}`);
        assert.deepEqual([status, json.error], [404, 'gate_not_found'], path);
      }
      assert.equal((await client.call('DELETE', `/v1/gates/${gate.id}`)).status, 404);
    });
  });

  describe('404', () => {
    const missing = [
      '01k00000000000000000000000',
      '01K00000000000000000000000',
      'nonsense',
      '%00',
      '%zz',
      "'; drop table gates",
    ];
    it('an id that no gate has is gate_not_found, whatever the method', async () => {
      for (const id of missing) {
        for (const [method, body] of [
          ['GET', undefined],
          ['PATCH', { name: 'x' }],
          ['DELETE', undefined],
        ] as const) {
          const { status, json } = await client.call(method, `/v1/gates/${id}`, body);
          assert.deepEqual(
            [status, json],
            [404, { error: 'gate_not_found', message: errorTable.gate_not_found.message }],
            `${method} ${id}`,
          );
        }
      }
    });

    it('an unknown path is not_found', async () => {
      for (const path of ['/v1', '/v1/gate', '/v1/gates/x/y', '/v1/gates/x/rules/y/z']) {
        const { status, json } = await client.call('GET', path);
        assert.deepEqual([status, json], [404, { error: 'not_found', message: 'Not found' }], path);
      }
    });
  });

  describe('405', () => {
    it('a method that a path does not take is refused with the methods it does take', async () => {
      const gate = await client.createGate();
      const rows = [
        ['PUT', '/v1/gates', 'GET, HEAD, POST'],
        ['POST', `/v1/gates/${gate.id}`, 'GET, HEAD, PATCH, DELETE'],
        ['DELETE', `/v1/gates/${gate.id}/rules`, 'GET, HEAD, POST, PUT'],
        ['POST', `/v1/gates/${gate.id}/rules/order`, 'PUT'],
        ['DELETE', `/v1/gates/${gate.id}/decisions`, 'POST, GET, HEAD'],
        ['POST', `/v1/gates/${gate.id}/stats`, 'GET, HEAD'],
        ['GET', `/v1/gates/${gate.id}/backtest`, 'POST'],
        ['DELETE', '/v1/fields', 'GET, HEAD'],
      ] as const;
      for (const [method, path, allow] of rows) {
        const { status, json, headers } = await client.call(method, path, method === 'GET' ? undefined : {});
        assert.deepEqual([status, json.error, headers.allow], [405, 'method_not_allowed', allow], `${method} ${path}`);
      }
    });
  });

  describe('401', () => {
    it('a request whose key is missing or not recognised is unauthorized', async () => {
      for (const key of [undefined, 'nonsense-nonsense', `${started.keys.production.slice(0, -1)}_`]) {
        const { status, json } = await started.request<{ error: string }>('GET', '/v1/gates', {
          ...(key === undefined ? {} : { key }),
        });
        assert.deepEqual([status, json.error], [401, 'unauthorized']);
      }
    });
  });

  describe('403', () => {
    it('an account whose plan is without Gates is refused as pro_only', async () => {
      const { keys } = await started.createAccount({ plan: 'free' });
      const { status, json } = await gateClient(started, keys.production).call('GET', '/v1/gates');
      assert.deepEqual([status, json], [403, { error: 'pro_only', message: 'This feature requires a Pro account' }]);
    });
  });

  describe('413 and 415', () => {
    it('a body of more than a megabyte is refused as too large', async () => {
      const { status, json } = await client.call('POST', '/v1/gates', { name: 'x'.repeat(1_100_000) });
      assert.deepEqual([status, json.error], [413, 'payload_too_large']);
    });

    it('a body that is not sent as JSON is refused for its type', async () => {
      const answer = await started.request<{ error: string }>('POST', '/v1/gates', {
        key: started.keys.production,
        body: 'name=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      assert.deepEqual([answer.status, answer.json.error], [415, 'unsupported_media_type']);
    });
  });

  describe('422', () => {
    const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
      ['no name', {}, ['name']],
      ['an empty name', { name: '' }, ['name']],
      ['a name of 121 characters', { name: 'n'.repeat(121) }, ['name']],
      ['a name that is no string', { name: 7 }, ['name']],
      ['a name with a NUL', { name: 'a\u0000b' }, ['name']],
      ['a description of 501 characters', { name: 'x', description: 'd'.repeat(501) }, ['description']],
      ['an action that is none', { name: 'x', default_action: 'deny' }, ['default_action']],
      ['an action of null', { name: 'x', default_action: null }, ['default_action']],
      ['a preset that is none', { name: 'x', preset: 'login' }, ['preset']],
      ['a misspelt field', { name: 'x', defaultAction: 'allow' }, ['defaultAction']],
      ['rules that are no list', { name: 'x', rules: {} }, ['rules']],
      ['rules and a preset', { name: 'x', preset: 'signup', rules: [] }, ['preset']],
      ['a field called __proto__', '{"name":"x","__proto__":{}}', ['__proto__']],
      ['every field wrong', { name: '', description: 1, x: 1 }, ['x', 'name', 'description']],
      ['a list', [], ['body']],
      ['null', 'null', ['body']],
      ['a string', '"x"', ['body']],
      ['no JSON', '{"name":', ['body']],
      ['nothing', undefined, ['body']],
    ];
    for (const [name, body, paths] of rows) {
      it(`a new gate with ${name} is refused with the path of each problem, and is not made [D164]`, async () => {
        const countBefore = (await client.call<Page>('GET', '/v1/gates?limit=100')).json.data.length;
        const { status, json } = await client.call('POST', '/v1/gates', body);
        assert.equal(status, 422);
        assert.deepEqual([json.error, json.message], ['validation_failed', errorTable.validation_failed.message]);
        assert.deepEqual(Object.keys(json.errors ?? {}).sort(), [...paths].sort());
        for (const messages of Object.values(json.errors ?? {})) assert.match(messages[0] ?? '', /^[A-Z].+\.$/);
        const countAfter = (await client.call<Page>('GET', '/v1/gates?limit=100')).json.data.length;
        assert.equal(countAfter, countBefore);
      });
    }

    it('a change with a preset, a misspelt field or a wrong value is refused and changes nothing', async () => {
      const gate = await client.createGate();
      for (const body of [{ preset: 'none' }, { nmae: 'x' }, { name: 'x', default_action: 'no' }, [], undefined]) {
        const { status, json } = await client.call('PATCH', `/v1/gates/${gate.id}`, body);
        assert.deepEqual([status, json.error], [422, 'validation_failed'], JSON.stringify(body));
      }
      assert.deepEqual(await client.readGate(gate.id), gate);
    });

    it('a list asked for with an impossible limit or cursor is refused with the name of the parameter', async () => {
      const { id } = await client.createGate();
      const decisionCursor = Buffer.from(`decisions:${id.toUpperCase()}`).toString('base64url');
      const rows = [
        ['limit=0', 'limit'],
        ['limit=101', 'limit'],
        ['limit=-1', 'limit'],
        ['limit=2.5', 'limit'],
        ['limit=many', 'limit'],
        ['limit=', 'limit'],
        ['limit=1&limit=2', 'limit'],
        ['cursor=nonsense', 'cursor'],
        ['cursor=', 'cursor'],
        [`cursor=${decisionCursor}`, 'cursor'],
      ] as const;
      for (const [query, path] of rows) {
        const { status, json } = await client.call('GET', `/v1/gates?${query}`);
        assert.deepEqual(
          [status, json.error, Object.keys(json.errors ?? {})],
          [422, 'validation_failed', [path]],
          query,
        );
      }
    });

    it('a wrong change of a gate that is not there is refused for the input', async () => {
      const { status, json } = await client.call('PATCH', '/v1/gates/nonsense', { nmae: 'x' });
      assert.deepEqual([status, json.error], [422, 'validation_failed']);
    });

    it('the 101st gate of an environment is refused; another environment has room, and a removal makes some [D207]', async () => {
      const { keys } = await started.createAccount();
      const own = gateClient(started, keys.production);
      const made: Response<WireError>[] = [];
      // No more at a time than the database has connections for: one that waits long is refused as unavailable.
      for (let count = 0; count < 104; count += 8) {
        const some = Array.from({ length: 8 }, () => own.call<WireError>('POST', '/v1/gates', { name: 'x' }));
        made.push(...(await Promise.all(some)));
      }
      assert.equal(made.filter(({ status }) => status === 201).length, 100);
      for (const { status, json } of made.filter((answer) => answer.status !== 201)) {
        assert.deepEqual([status, json.error], [422, 'gate_limit_reached']);
      }
      await gateClient(started, keys.staging).createGate();
      const [first] = (await own.call<Page>('GET', '/v1/gates')).json.data;
      await own.call('DELETE', `/v1/gates/${first?.id}`);
      await own.createGate();
    });
  });
});
