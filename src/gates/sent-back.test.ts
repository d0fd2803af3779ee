import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeService } from '../../test/engines.ts';
import { blockDomain, type GateClient, gateClient, type WireGate, type WireRule } from '../../test/gate-client.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';

const nowMs = Date.UTC(2026, 10, 15, 0, 20);
const megabyte = 1_048_576;

await describeService('gates and rules as they were read', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs });
    client = gateClient(started);
  });
  after(() => started.close());

  const errorsOf = async (method: 'POST' | 'PATCH' | 'PUT', path: string, body: object) => {
    const { status, json } = await client.call(method, path, body);
    assert.equal(status, 422, JSON.stringify(json));
    return json.errors ?? json.error;
  };
  const texts = (rules: readonly WireRule[]) =>
    rules.map(({ id: _id, created_at: _created, updated_at: _updated, ...rest }) => rest);

  it('a gate sent as it was read is accepted by PATCH, and its rules stay the rules they are [D301]', async () => {
    const gate = await client.createGate({ preset: 'signup', wait: ['domain_authority'] });
    started.clock.advance(5_000);
    const { status, json } = await client.call<{ data: WireGate }>('PATCH', `/v1/gates/${gate.id}`, gate);
    assert.equal(status, 200);
    assert.deepEqual({ ...json.data, updated_at: null }, { ...gate, updated_at: null });
  });

  it('a gate sent as it was read is accepted by POST, as a new gate with new rules [D301 D302]', async () => {
    const gate = await client.createGate({ preset: 'signup' });
    const { status, json } = await client.call<{ data: WireGate }>('POST', '/v1/gates', gate);
    assert.equal(status, 201);
    assert.deepEqual(texts(json.data.rules), texts(gate.rules));
    const ids = new Set([...gate.rules, ...json.data.rules, gate, json.data].map(({ id }) => id));
    assert.equal(ids.size, 2 * gate.rules.length + 2);
  });

  it('a rule sent as it was read is accepted by POST and by PATCH [D301]', async () => {
    const gate = await client.createGate();
    const rule = await client.addRule(gate.id);
    const path = `/v1/gates/${gate.id}/rules`;
    assert.equal((await client.call('POST', path, rule)).status, 201);
    const changed = await client.call<{ data: WireRule }>('PATCH', `${path}/${rule.id}`, { ...rule, name: 'After' });
    assert.deepEqual(changed.json.data, { ...rule, name: 'After' });
    assert.deepEqual(await errorsOf('PATCH', `${path}/${rule.id}`, { ...rule, stpo: true }), {
      stpo: ['This field is not known.'],
    });
  });

  it('rules sent with a gate replace all its rules: a known id keeps its rule, another gets a new one [D303]', async () => {
    const gate = await client.createGate();
    const [one, two] = [await client.addRule(gate.id, { name: 'One' }), await client.addRule(gate.id, { name: 'Two' })];
    const foreign = await client.addRule((await client.createGate()).id);
    const sent = [
      { ...two, name: 'Two, changed' },
      { ...foreign, name: 'Foreign' },
      { ...blockDomain('new.com') },
      one,
    ];
    for (const call of [
      () => client.call<{ data: WireRule[] }>('PUT', `/v1/gates/${gate.id}/rules`, { rules: sent }),
      () => client.call<{ data: WireGate }>('PATCH', `/v1/gates/${gate.id}`, { rules: sent }),
    ]) {
      const { status, json } = await call();
      const rules = 'rules' in json.data ? json.data.rules : json.data;
      assert.equal(status, 200);
      assert.deepEqual(
        rules.map(({ name, position }) => [name, position]),
        [
          ['Two, changed', 0],
          ['Foreign', 1],
          ['No new.com', 2],
          ['One', 3],
        ],
      );
      assert.deepEqual([rules[0]?.id, rules[3]], [two.id, { ...one, position: 3 }]);
      assert.notEqual(rules[1]?.id, foreign.id);
      assert.deepEqual((await client.readGate(gate.id)).rules, rules);
    }
    await client.call('PUT', `/v1/gates/${gate.id}/rules`, { rules: [] });
    assert.deepEqual((await client.readGate(gate.id)).rules, []);
  });

  it('rules that replace others are held to every limit, and nothing changes when one is broken [D303]', async () => {
    const gate = await client.createGate();
    const rule = await client.addRule(gate.id);
    const path = `/v1/gates/${gate.id}/rules`;
    assert.deepEqual(await errorsOf('PUT', path, { rules: [rule, rule] }), {
      'rules.1.id': ['The rule is named twice.'],
    });
    assert.deepEqual(Object.keys(await errorsOf('PUT', path, { rules: [rule, { name: 'x' }] })), [
      'rules.1.action',
      'rules.1.conditions',
    ]);
    assert.deepEqual(Object.keys(await errorsOf('PUT', path, {})), ['rules']);
    assert.equal(await errorsOf('PUT', path, { rules: Array(101).fill(blockDomain('a.com')) }), 'rule_limit_reached');
    assert.equal((await client.call('PUT', '/v1/gates/01k00000000000000000000000/rules', { rules: [] })).status, 404);
    assert.deepEqual((await client.readGate(gate.id)).rules, [rule]);
  });

  it('a new gate takes rules or a preset, not both [D302]', async () => {
    const body = { name: 'Both', preset: 'none', rules: [blockDomain('a.com')] };
    assert.deepEqual(await errorsOf('POST', '/v1/gates', body), {
      preset: ['A gate takes rules or a preset, not both.'],
    });
    const { rules } = await client.createGate({ preset: undefined, rules: [blockDomain('a.com')] });
    assert.deepEqual(texts(rules).length, 1);
  });

  it('the values of the rules of a gate are 1 MB of JSON at most [D304]', async () => {
    const gate = await client.createGate();
    const values = Array.from({ length: 1000 }, (_, index) => String(index).padStart(1000, 'x'));
    const conditions = [{ field: 'domain.name', operator: 'in', value: values }];
    const size = JSON.stringify(values).length;
    assert.ok(size < megabyte && size > megabyte / 2);
    await client.addRule(gate.id, { conditions });
    const said = [
      `The values of the rules of a gate may be 1,048,576 bytes of JSON (1 MB) together; these are ${(2 * size).toLocaleString('en')}.`,
    ];
    const path = `/v1/gates/${gate.id}/rules`;
    assert.deepEqual(await errorsOf('POST', path, { ...blockDomain('a.com'), conditions }), { conditions: said });
    assert.equal((await client.readGate(gate.id)).rules_count, 1);
  });

  it('what a gate waits for is a list of known names, each once [D305]', async () => {
    const wait = ['domain_age_in_days', 'domain_authority', 'domain_age_in_days'];
    const gate = await client.createGate({ wait });
    assert.deepEqual(gate.wait, ['domain_age_in_days', 'domain_authority']);
    const path = `/v1/gates/${gate.id}`;
    const changed = await client.call<{ data: WireGate }>('PATCH', path, { wait: [] });
    assert.deepEqual([changed.json.data.wait, (await client.readGate(gate.id)).wait], [[], []]);
    for (const wrong of [['mx'], [1], 'domain_authority', null, Array(51).fill('domain_authority')]) {
      assert.match(Object.keys(await errorsOf('PATCH', path, { wait: wrong })).join(), /^wait/);
    }
  });

  it('a name of blanks is refused [D209]', async () => {
    assert.deepEqual(await errorsOf('POST', '/v1/gates', { name: ' \t ' }), { name: ['The name must not be blank.'] });
  });

  describe('405', () => {
    it('a rule id of "order" names no rule: every method but PUT is refused with 405 and Allow [D306]', async () => {
      const { id } = await client.createGate();
      for (const method of ['GET', 'PATCH', 'DELETE', 'POST'] as const) {
        const { status, headers, json } = await client.call(method, `/v1/gates/${id}/rules/order`);
        assert.deepEqual([method, status, headers.allow, json.error], [method, 405, 'PUT', 'method_not_allowed']);
      }
    });
  });
});
