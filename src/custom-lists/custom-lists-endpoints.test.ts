import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { type GateClient, gateClient, type WireError, type WireGate, type WireRule } from '../../test/gate-client.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';

interface WireList {
  readonly id: string;
  readonly name: string;
  readonly entries_count: number;
  readonly rules?: readonly object[];
}

interface WireEntry {
  readonly value: string;
  readonly note: string | null;
  readonly expires_at: string | null;
  readonly expired?: boolean;
}

interface WireAdded {
  readonly added: number;
  readonly updated: number;
  readonly errors: readonly { index: number; value: string; error: string }[];
}

type WireUse = WireError & { readonly rules: readonly object[] };

const day = 86_400_000;
const isoIn = (started: StartedApp, ms: number) => new Date(started.clock.now() + ms).toISOString();
const wireNow = (started: StartedApp) => isoIn(started, 0).replace('.000Z', '+00:00');

await describeEngines('custom lists', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  let staging: GateClient;
  let names = 0;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs: Date.UTC(2026, 10, 15) });
    client = gateClient(started);
    staging = gateClient(started, started.keys.staging);
  });
  after(() => started.close());

  const data = async <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> => {
    const { status, json, text } = await client.call<{ data: T }>(method, path, body);
    assert.ok(status < 300, text);
    return json.data;
  };
  const create = (kind: string, more: object = {}) => {
    names += 1;
    return data<WireList>('POST', '/v1/lists', { name: `List ${names}`, kind, ...more });
  };
  const add = (list: WireList, ...entries: readonly (string | object)[]) =>
    data<WireAdded>('POST', `/v1/lists/${list.id}/entries`, {
      entries: entries.map((entry) => (typeof entry === 'string' ? { value: entry } : entry)),
    });
  const remove = (list: WireList, ...values: readonly string[]) =>
    data<{ removed: number }>('DELETE', `/v1/lists/${list.id}/entries`, { values });
  const entriesOf = async (list: WireList, query = '') =>
    data<WireEntry[]>('GET', `/v1/lists/${list.id}/entries${query}`);
  const valuesOf = async (list: WireList, query = '') => (await entriesOf(list, query)).map(({ value }) => value);
  const counted = async (list: WireList) => (await data<WireList>('GET', `/v1/lists/${list.id}`)).entries_count;
  const clear = async () => {
    for (const { id } of await data<WireList[]>('GET', '/v1/lists')) await client.call('DELETE', `/v1/lists/${id}`);
  };
  beforeEach(clear);

  describe('lists', () => {
    it('a new list has an id, its texts, no entries, and is read, listed and changed [D461]', async () => {
      const list = await create('email', { name: 'Customers', description: 'Never block' });
      assert.match(list.id, /^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      const times = { created_at: wireNow(started), updated_at: wireNow(started) };
      const shown = { name: 'Customers', kind: 'email', description: 'Never block', entries_count: 0, ...times };
      assert.deepEqual(list, { id: list.id, ...shown });
      assert.deepEqual(await data('GET', '/v1/lists'), [list]);
      assert.deepEqual(await data('GET', `/v1/lists/${list.id.toUpperCase()}`), { ...list, rules: [] });
      const renamed = await data<WireList>('PATCH', `/v1/lists/${list.id}`, { ...list, name: 'CUSTOMERS' });
      assert.equal(renamed.name, 'CUSTOMERS');
      const { status, json } = await client.call('PATCH', `/v1/lists/${list.id}`, { kind: 'text' });
      assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, ['kind']]);
    });

    it('rejects a name that another list of the environment has in any case, and accepts it elsewhere [D462]', async () => {
      await create('email', { name: 'Customers' });
      const other = await create('text');
      const body = { name: 'cUSTOMERS', kind: 'domain' };
      for (const [method, path] of [
        ['POST', '/v1/lists'],
        ['PATCH', `/v1/lists/${other.id}`],
      ] as const) {
        const { status, json } = await client.call(method, path, method === 'POST' ? body : { name: body.name });
        assert.deepEqual([status, json.error], [422, 'list_name_taken']);
      }
      assert.equal((await staging.call('POST', '/v1/lists', body)).status, 201);
    });

    it('rejects the 51st list [D468]', async () => {
      for (let index = 0; index < 50; index += 1) await create('text');
      const { status, json } = await client.call('POST', '/v1/lists', { name: 'One more', kind: 'text' });
      assert.deepEqual([status, json.error], [422, 'list_limit_reached']);
    });

    it('rejects unknown kinds, fields and blank names', async () => {
      const bodies = [{ name: 'A', kind: 'phone' }, { name: ' ', kind: 'text' }, { name: 'A', kind: 'text', x: 1 }, {}];
      for (const body of bodies) {
        const { status, json } = await client.call('POST', '/v1/lists', body);
        assert.deepEqual([status, json.error], [422, 'validation_failed']);
      }
    });

    it("another environment's list is missing, on every path [D463]", async () => {
      const { id } = await create('text');
      const paths = [
        ['GET', `/v1/lists/${id}`],
        ['PATCH', `/v1/lists/${id}`, {}],
        ['DELETE', `/v1/lists/${id}`],
        ['GET', `/v1/lists/${id}/entries`],
        ['POST', `/v1/lists/${id}/entries`, { entries: [{ value: 'a' }] }],
        ['DELETE', `/v1/lists/${id}/entries`, { values: ['a'] }],
        ['GET', '/v1/lists/none'],
      ] as const;
      for (const [method, path, body] of paths) {
        const { status, json } = await staging.call(method, path, body);
        assert.deepEqual([status, json.error], [404, 'list_not_found'], `${method} ${path}`);
      }
    });
  });

  describe('entries', () => {
    const cases: readonly (readonly [kind: string, sent: readonly string[], shown: readonly string[]])[] = [
      ['email', ['J.Ane+x@GoogleMail.com', 'jane@gmail.com', 'a@bücher.de'], ['a@xn--bcher-kva.de', 'jane@gmail.com']],
      ['domain', ['Bücher.DE', 'example.com.'], ['example.com', 'xn--bcher-kva.de']],
      [
        'ip',
        ['192.0.2.77/24', '2001:DB8::0001', '::ffff:192.0.2.1', '2001:db8:1::5/48', '198.51.100.7/32'],
        ['198.51.100.7', '2001:db8:1::/48', '192.0.2.1', '2001:db8::1', '192.0.2.0/24'],
      ],
      ['country', ['de', 'AT'], ['AT', 'DE']],
      ['asn', ['AS15169', '015169', 'as64512'], ['64512', '15169']],
      ['text', ['Hello', 'HELLO', 'other'], ['other', 'HELLO']],
    ];
    for (const [kind, sent, shown] of cases) {
      it(`values of kind ${kind} are stored in their canonical form, newest first [D465]`, async () => {
        const list = await create(kind);
        assert.deepEqual(await add(list, ...sent), { added: shown.length, updated: 0, errors: [] });
        assert.deepEqual(await valuesOf(list), shown);
        assert.equal(await counted(list), shown.length);
        assert.deepEqual(await remove(list, ...sent, 'not listed'), { removed: shown.length });
        assert.deepEqual(await valuesOf(list), []);
      });
    }

    it('invalid entries are reported by index and the others are added [D465]', async () => {
      const list = await create('ip');
      const { added, errors } = await add(
        list,
        '192.0.2.0/33',
        '192.0.2.1',
        { value: 7 },
        { value: '192.0.2.2', expires_at: isoIn(started, -1) },
        { value: '192.0.2.3', expires_at: 'tomorrow' },
        { value: '192.0.2.4', note: 5 },
        '1.2.3.4/08',
      );
      assert.equal(added, 1);
      assert.deepEqual(
        errors.map(({ index, value }) => [index, value]),
        [
          [0, '192.0.2.0/33'],
          [2, '7'],
          [3, '192.0.2.2'],
          [4, '192.0.2.3'],
          [5, '192.0.2.4'],
          [6, '1.2.3.4/08'],
        ],
      );
      assert.deepEqual(await valuesOf(list), ['192.0.2.1']);
    });

    it('a note over 500 characters, and an expiry beyond the limits, is 422 and nothing is added [D472]', async () => {
      const list = await create('text');
      const wrong: readonly [entry: object, path: string][] = [
        [{ value: 'b', note: '\u{1f600}'.repeat(501) }, 'entries.1.note'],
        [{ value: 'b', expires_at: '2099-01-01T00:00:00+14:01' }, 'entries.1.expires_at'],
        [{ value: 'b', expires_at: '9999-12-31T23:59:59-12:00' }, 'entries.1.expires_at'],
        [{ value: 'b', expires_at: '10000-01-01T00:00:00Z' }, 'entries.1.expires_at'],
      ];
      for (const [entry, path] of wrong) {
        const { status, json } = await client.call('POST', `/v1/lists/${list.id}/entries`, {
          entries: [{ value: 'a' }, entry],
        });
        assert.deepEqual([status, json.error, Object.keys(json.errors ?? {})], [422, 'validation_failed', [path]]);
      }
      assert.deepEqual(await valuesOf(list), []);
      const { added } = await add(list, { value: 'b', note: '\u{1f600}'.repeat(500), expires_at: '9999-12-31T23:59Z' });
      assert.equal(added, 1);
    });

    it('an entry is added once and then changed; the list shows its note, times and no author by key', async () => {
      const list = await create('domain');
      const expires_at = isoIn(started, day);
      const addedAt = wireNow(started);
      assert.deepEqual(await add(list, { value: 'a.example', note: 'Old', expires_at }), {
        added: 1,
        updated: 0,
        errors: [],
      });
      started.clock.advance(1_000);
      assert.deepEqual(await add(list, 'b.example', { value: 'A.example', note: 'New' }), {
        added: 1,
        updated: 1,
        errors: [],
      });
      assert.deepEqual(await entriesOf(list), [
        { value: 'b.example', note: null, expires_at: null, created_at: wireNow(started) },
        { value: 'a.example', note: 'New', expires_at: null, created_at: addedAt },
      ]);
    });

    it('entries are paged, and filtered by a part of value or note [D466]', async () => {
      const list = await create('email');
      await add(list, ...Array.from({ length: 30 }, (_, index) => `user${index}@example.com`));
      await add(list, { value: 'j.ane@gmail.com', note: 'Our FIRST customer 100%' });
      const first = await client.call<{ data: WireEntry[]; meta: { next_cursor: string } }>(
        'GET',
        `/v1/lists/${list.id}/entries?limit=20`,
      );
      assert.equal(first.json.data.length, 20);
      const rest = await valuesOf(list, `?cursor=${first.json.meta.next_cursor}`);
      assert.deepEqual([rest.length, rest.at(-1)], [11, 'user0@example.com']);
      assert.deepEqual(await valuesOf(list, '?q=first'), ['jane@gmail.com']);
      assert.deepEqual(await valuesOf(list, '?q=J.ane%2Bx@gmail.com'), ['jane@gmail.com']);
      assert.deepEqual(await valuesOf(list, '?q=100%25'), ['jane@gmail.com']);
      assert.deepEqual(await valuesOf(list, '?q=USER2&limit=1'), ['user29@example.com']);
      await add(list, { value: 'user1@example.com', note: 'Ärzte in KÖLN' });
      for (const q of ['Ärzte', 'KÖLN'])
        assert.deepEqual(await valuesOf(list, `?q=${encodeURIComponent(q)}`), ['user1@example.com']);
      assert.equal((await client.call('GET', `/v1/lists/${list.id}/entries?limit=0`)).status, 422);
    });

    it('a search finds entries anywhere in a list that is searched in parts', async () => {
      const list = await create('text');
      for (let from = 0; from < 5_000; from += 1_000)
        await add(list, ...Array.from({ length: 1_000 }, (_, index) => `entry ${from + index}`));
      assert.deepEqual(
        await valuesOf(list, '?q=999'),
        [4, 3, 2, 1].map((part) => `entry ${part}999`).concat('entry 999'),
      );
      assert.deepEqual(await valuesOf(list, '?q=entry%200'), ['entry 0']);
      const { json } = await client.call<{ data: WireEntry[]; meta: { next_cursor: string | null } }>(
        'GET',
        `/v1/lists/${list.id}/entries?q=999&limit=3`,
      );
      assert.deepEqual(
        json.data.map(({ value }) => value),
        ['entry 4999', 'entry 3999', 'entry 2999'],
      );
      const rest = await valuesOf(list, `?q=999&limit=3&cursor=${json.meta.next_cursor}`);
      assert.deepEqual(rest, ['entry 1999', 'entry 999']);
    });

    it('an expired entry is shown for 30 days, not counted, and new when it is added again [D467]', async () => {
      const list = await create('text');
      await add(list, { value: 'gone', expires_at: isoIn(started, 1_000) }, 'stays');
      assert.equal(await counted(list), 2);
      started.clock.advance(1_000);
      assert.equal(await counted(list), 1);
      assert.deepEqual(
        (await entriesOf(list)).map(({ value, expired }) => [value, expired]),
        [
          ['stays', undefined],
          ['gone', true],
        ],
      );
      assert.deepEqual(await add(list, { value: 'gone', expires_at: isoIn(started, 1_000) }), {
        added: 1,
        updated: 0,
        errors: [],
      });
      assert.deepEqual([await counted(list), await valuesOf(list)], [2, ['gone', 'stays']]);
      started.clock.advance(1_000 + 30 * day);
      assert.deepEqual(await valuesOf(list), ['stays']);
    });

    it('rejects more than 1,000 entries, accepts none, and rejects what is not a list of entries [D465]', async () => {
      const list = await create('text');
      const path = `/v1/lists/${list.id}/entries`;
      const entries = Array.from({ length: 1_001 }, (_, index) => ({ value: String(index) }));
      const bodies = [{ entries }, { entries: 'a' }, { entries: ['a'] }, { entries: [{ value: 'a', nope: 1 }] }, {}];
      for (const body of bodies) assert.equal((await client.call('POST', path, body)).status, 422);
      assert.deepEqual(await add(list), { added: 0, updated: 0, errors: [] });
      assert.equal((await client.call('DELETE', path, { values: [1] })).status, 422);
      assert.deepEqual(await valuesOf(list), []);
    });

    it('rejects entries beyond 100,000 and changes nothing; an expired entry makes room [D468]', async () => {
      const list = await create('text');
      await add(list, 'one', { value: 'soon', expires_at: isoIn(started, 1_000) });
      await started.db.write.updateTable('custom_lists').set({ total: 99_999 }).where('id', '=', list.id).execute();
      const path = `/v1/lists/${list.id}/entries`;
      const { status, json } = await client.call('POST', path, { entries: [{ value: 'two' }, { value: 'three' }] });
      assert.deepEqual([status, json.error], [422, 'list_full']);
      assert.deepEqual(await valuesOf(list), ['soon', 'one']);
      started.clock.advance(1_000);
      assert.equal((await add(list, 'two', 'three')).added, 2);
    });

    it("rejects entries beyond 200 MB of the account's lists, and changes nothing [D473]", async () => {
      const list = await create('text');
      await add(list, { value: 'one', note: 'x'.repeat(400) });
      const elsewhere = await staging.call<{ data: WireList }>('POST', '/v1/lists', { name: 'Large', kind: 'text' });
      const bytesOf = async () =>
        (await started.db.read.selectFrom('custom_lists').select('bytes').where('id', '=', list.id).execute())[0]
          ?.bytes;
      assert.equal(await bytesOf(), 503);
      const setLarge = (bytes: number) =>
        started.db.write.updateTable('custom_lists').set({ bytes }).where('id', '=', elsewhere.json.data.id).execute();
      await setLarge(200_000_000 - 700);
      const path = `/v1/lists/${list.id}/entries`;
      const { status, json } = await client.call('POST', path, { entries: [{ value: 'two' }, { value: 'three' }] });
      assert.deepEqual([status, json.error], [422, 'list_full']);
      assert.match(json.message ?? '', /at most 200 MB/);
      assert.deepEqual(await valuesOf(list), ['one']);
      assert.equal((await add(list, { value: 'one', note: 'short' })).updated, 1);
      assert.equal(await bytesOf(), 108);
      assert.equal((await add(list, 'two', 'three')).added, 2);
      assert.deepEqual(await remove(list, 'one', 'two'), { removed: 2 });
      assert.equal(await bytesOf(), 105);
      await staging.call('DELETE', `/v1/lists/${elsewhere.json.data.id}`);
    });
  });

  describe('rules', () => {
    let gate: WireGate;
    before(async () => {
      gate = await client.createGate();
    });
    const ruleOn = (field: string, list: WireList | string, operator = 'in_list') => ({
      name: `${field} ${operator}`,
      action: 'block',
      conditions: [{ field, operator, value: typeof list === 'string' ? list : list.id }],
    });
    const actionFor = async (body: object) => (await client.decide(gate.id, body)).decision.action;
    const replace = async (...rules: readonly object[]) => {
      const { status, text } = await client.call('PUT', `/v1/gates/${gate.id}/rules`, { rules });
      assert.equal(status, 200, text);
    };
    beforeEach(async () => {
      await replace();
      await clear();
    });

    it('a rule matches members of its list as soon as they are added, and no longer once they are removed', async () => {
      const list = await create('email');
      await replace(ruleOn('email.address', list));
      assert.equal(await actionFor({ email: 'J.ane+new@gmail.com' }), 'allow');
      await add(list, 'jane@googlemail.com');
      assert.equal(await actionFor({ email: 'J.ane+new@gmail.com' }), 'block');
      assert.equal(await actionFor({ domain: 'gmail.com' }), 'allow');
      await remove(list, 'jane@gmail.com');
      assert.equal(await actionFor({ email: 'J.ane+new@gmail.com' }), 'allow');
    });

    it('not_in_list holds for a known value that is not listed, and not for an unknown one [D469]', async () => {
      const list = await create('email');
      await add(list, 'jane@example.com');
      await replace(ruleOn('email.normalized', list, 'not_in_list'));
      assert.equal(await actionFor({ email: 'joe@example.com' }), 'block');
      assert.equal(await actionFor({ email: 'jane+x@example.com' }), 'allow');
      assert.equal(await actionFor({ domain: 'example.com' }), 'allow');
    });

    it('a domain entry covers all names below it, and an IP entry its block [D470]', async () => {
      const domains = await create('domain');
      const networks = await create('ip');
      await add(domains, 'shop.example');
      await add(networks, '203.0.113.0/28', '2001:db8::/32', '198.51.100.9');
      await replace(ruleOn('domain.name', domains), ruleOn('ip.address', networks));
      const email = 'a@other.example';
      assert.equal(await actionFor({ email: 'a@deep.er.shop.example' }), 'block');
      assert.equal(await actionFor({ email: 'a@workshop.example' }), 'allow');
      for (const [ip, action] of [
        ['203.0.113.15', 'block'],
        ['203.0.113.16', 'allow'],
        ['2001:db8:ffff::1', 'block'],
        ['2001:db9::1', 'allow'],
        ['198.51.100.9', 'block'],
        ['198.51.100.8', 'allow'],
      ])
        assert.equal(await actionFor({ email, ip }), action, ip);
    });

    it('an entry matches nothing once it has expired [D467]', async () => {
      const list = await create('text');
      await add(list, { value: 'NEWS', expires_at: isoIn(started, 1_000) });
      await replace(ruleOn('email.subaddress', list));
      assert.equal(await actionFor({ email: 'a+News@example.com' }), 'block');
      started.clock.advance(1_000);
      assert.equal(await actionFor({ email: 'a+news@example.com' }), 'allow');
    });

    it('rejects a list that does not exist, is another environment’s or does not fit the field, at that condition [D469]', async () => {
      const list = await create('country');
      const foreign = (await staging.call<{ data: WireList }>('POST', '/v1/lists', { name: 'F', kind: 'email' })).json;
      const bad = [
        ruleOn('email.address', list),
        ruleOn('email.address', foreign.data),
        ruleOn('email.address', '01k00000000000000000000000'),
        ruleOn('domain.sld', list),
      ];
      for (const rule of bad) {
        const one = await client.call('POST', `/v1/gates/${gate.id}/rules`, rule);
        assert.deepEqual([one.status, Object.keys(one.json.errors ?? {})], [422, ['conditions.0.value']]);
        const fine = { name: 'Fine', action: 'block', conditions: [{ field: 'domain.mx', operator: 'is_unknown' }] };
        const all = { rules: [fine, rule] };
        for (const [method, path, body] of [
          ['PUT', `/v1/gates/${gate.id}/rules`, all],
          ['PATCH', `/v1/gates/${gate.id}`, all],
          ['POST', '/v1/gates', { name: 'New', ...all }],
          ['POST', `/v1/gates/${gate.id}/backtest`, all],
        ] as const) {
          const { status, json } = await client.call(method, path, body);
          assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, ['rules.1.conditions.0.value']], path);
        }
      }
      const wrong = await client.call('POST', `/v1/gates/${gate.id}/rules`, ruleOn('domain.age_days', list));
      assert.deepEqual([wrong.status, Object.keys(wrong.json.errors ?? {})], [422, ['conditions.0.operator']]);
      const missing = {
        ...ruleOn('ip.network.asn', list),
        conditions: [{ field: 'ip.network.asn', operator: 'in_list' }],
      };
      assert.equal((await client.call('POST', `/v1/gates/${gate.id}/rules`, missing)).status, 422);
      assert.deepEqual((await client.readGate(gate.id)).rules, []);
    });

    it('each kind of list fits the fields of the contract [D469]', async () => {
      const { json } = await client.call<{
        data: { path: string; type: string; operators: string[]; list_kinds?: string[] }[];
        operators: { name: string; value: object }[];
      }>('GET', '/v1/fields');
      const fitting = (kind: string) =>
        json.data.filter(({ list_kinds = [] }) => list_kinds.includes(kind)).map(({ path }) => path);
      assert.deepEqual(fitting('email'), ['email.address', 'email.normalized']);
      assert.deepEqual(fitting('domain'), [
        'domain.name',
        'domain.registrable',
        'domain.mx_records.*.hostname',
        'domain.disposable_provider',
        'domain.did_you_mean',
        'ip.network.domain',
      ]);
      assert.deepEqual(fitting('ip'), ['ip.address']);
      assert.deepEqual(fitting('country'), ['ip.geo.country_code']);
      assert.deepEqual(fitting('asn'), ['ip.network.asn']);
      for (const { path, type, operators, list_kinds = [] } of json.data) {
        assert.equal(list_kinds.includes('text'), type.startsWith('string'), path);
        assert.equal(operators.includes('in_list'), list_kinds.length > 0, path);
        assert.equal(operators.includes('not_in_list'), list_kinds.length > 0, path);
      }
      assert.deepEqual(json.operators.find(({ name }) => name === 'in_list')?.value, {
        kind: 'custom_list',
        pattern: false,
      });
    });

    it('a list in use, by disabled and shadow rules too, is not removed and names the rules [D464]', async () => {
      const list = await create('email');
      await replace(
        { ...ruleOn('email.address', list), enabled: false },
        { ...ruleOn('email.address', list, 'not_in_list'), mode: 'shadow' },
        {
          ...ruleOn('domain.name', list.id),
          conditions: [{ field: 'domain.name', operator: 'equals', value: list.id }],
        },
      );
      const rules = ((await client.readGate(gate.id)).rules as WireRule[]).slice(0, 2);
      const uses = rules.map(({ id, name }) => ({ gate_id: gate.id, id, name }));
      const { status, json } = await client.call<WireUse>('DELETE', `/v1/lists/${list.id}`);
      assert.deepEqual([status, json.error, json.rules], [409, 'list_in_use', uses]);
      assert.deepEqual((await data<WireList>('GET', `/v1/lists/${list.id}`)).rules, uses);
      await replace();
      assert.equal((await client.call('DELETE', `/v1/lists/${list.id}`)).status, 204);
      assert.equal((await client.call('GET', `/v1/lists/${list.id}`)).status, 404);
    });

    it('a revision that names a removed list is not restored; a trace with its rules leaves the condition unknown [D464]', async () => {
      const list = await create('email');
      await add(list, 'jane@example.com');
      await replace(ruleOn('email.address', list));
      const { meta } = await client.decide(gate.id, { email: 'jane@example.com' });
      const { revision } = await data<{ revision: number }>('GET', `/v1/gates/${gate.id}/revisions/current`);
      await replace();
      assert.equal((await client.call('DELETE', `/v1/lists/${list.id}`)).status, 204);
      const restore = `/v1/gates/${gate.id}/revisions/${revision}/restore`;
      const { status, json } = await client.call('POST', restore, {});
      assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, ['rules.0.conditions.0.value']]);
      const trace = await data<{ rules: { conditions: { holds: boolean | null; reason: string }[] }[] }>(
        'POST',
        `/v1/gates/${gate.id}/trace`,
        { decision_id: meta.decision_id },
      );
      const condition = trace.rules[0]?.conditions[0];
      assert.deepEqual([condition?.holds, condition?.reason], [null, 'no_list']);
    });

    it('a trace evaluates sent rules on lists and reports a list that does not fit as a problem', async () => {
      const list = await create('email');
      await add(list, 'jane@example.com');
      const trace = await data<{ rules: { outcome: string }[]; problems: object }>(
        'POST',
        `/v1/gates/${gate.id}/trace`,
        {
          email: 'jane+x@example.com',
          rules: [ruleOn('domain.name', list), ruleOn('email.address', list)],
        },
      );
      assert.deepEqual(
        trace.rules.map(({ outcome }) => outcome),
        ['invalid', 'decided'],
      );
      assert.deepEqual(Object.keys(trace.problems), ['rules.0.conditions.0.value']);
    });

    it('a backtest uses lists as they are now', async () => {
      const list = await create('email');
      await client.decide(gate.id, { email: 'backtest@example.com' });
      await add(list, 'backtest@example.com');
      const backtest = () =>
        data<{ changed: number }>('POST', `/v1/gates/${gate.id}/backtest`, {
          rules: [ruleOn('email.address', list)],
          against: 'rules',
        });
      assert.equal((await backtest()).changed, 1);
      await remove(list, 'backtest@example.com');
      assert.equal((await backtest()).changed, 0);
    });

    it('audit acts name the list and count its entries without naming them', async () => {
      const list = await create('email', { name: 'Audited' });
      await add(list, 'private@example.com');
      await remove(list, 'private@example.com');
      await client.call('DELETE', `/v1/lists/${list.id}`);
      const acts = await started.db.read
        .selectFrom('audit')
        .select(['action', 'detail'])
        .where('subject', '=', list.id)
        .orderBy('action')
        .execute();
      assert.deepEqual(
        acts.map(({ action, detail }) => [action, JSON.parse(detail)]),
        [
          ['list.created', { name: 'Audited', kind: 'email' }],
          ['list.entries_added', { name: 'Audited', added: 1, updated: 0 }],
          ['list.entries_removed', { name: 'Audited', removed: 1 }],
          ['list.removed', { name: 'Audited' }],
        ],
      );
    });
  });
});
