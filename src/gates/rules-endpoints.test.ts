import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { describeService } from '../../test/engines.ts';
import {
  blockDomain,
  type GateClient,
  gateClient,
  type WireError,
  type WireGate,
  type WireRule,
} from '../../test/gate-client.ts';
import type { Response } from '../../test/inject.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';
import { errorTable } from '../errors.ts';

const condition = { field: 'domain.mx', operator: 'equals', value: false };
const draft = { name: 'Rule', action: 'block', conditions: [condition] };

await describeService('rules', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  let gate: WireGate;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs: Date.UTC(2026, 10, 15) });
    client = gateClient(started);
  });
  beforeEach(async () => {
    gate = await client.createGate();
  });
  after(() => started.close());

  const namesOf = async () => (await client.readGate(gate.id)).rules.map(({ name }) => name);
  const add = (name: string, more: object = {}) => client.addRule(gate.id, { ...draft, name, ...more });
  const path = (rest = '') => `/v1/gates/${gate.id}/rules${rest}`;

  describe('201', () => {
    it('a new rule needs a name, an action and conditions; the rest has defaults [D185]', async () => {
      const { status, json } = await client.call<{ data: WireRule }>('POST', path(), draft);
      assert.equal(status, 201);
      const { id, ...rule } = json.data;
      assert.match(id, /^[0-9a-hjkmnp-tv-z]{26}$/);
      assert.deepEqual(rule, {
        ...draft,
        description: null,
        message: null,
        match: 'all',
        stop: false,
        enabled: true,
        mode: 'live',
        position: 0,
        created_at: '2026-11-15T00:00:00+00:00',
        updated_at: '2026-11-15T00:00:00+00:00',
      });
    });

    it('a new rule described in full comes back as it was sent', async () => {
      const whole = {
        name: 'Whole',
        description: 'What it is for',
        message: 'What the visitor reads',
        match: 'any',
        action: 'challenge',
        stop: true,
        enabled: false,
        mode: 'shadow',
        conditions: [
          { field: 'email.subaddress', operator: 'is_known' },
          { field: 'domain.tld', operator: 'in', value: ['xyz', 'top'] },
          { field: 'domain.age_days', operator: 'between', value: [0, 14] },
          { field: 'domain.mx_records.*.hostname', operator: 'not_matches', value: '^mx\\d+\\.' },
        ],
      };
      const rule = await client.addRule(gate.id, whole);
      const { id: _id, position: _position, created_at: _created, updated_at: _updated, ...rest } = rule;
      assert.deepEqual(rest, whole);
    });

    it('a new rule is appended, inserted at its position, and appended when that is past the end [D171]', async () => {
      await add('a');
      await add('b');
      assert.equal((await add('first', { position: 0 })).position, 0);
      assert.equal((await add('third', { position: 2 })).position, 2);
      assert.equal((await add('last', { position: 99 })).position, 4);
      assert.deepEqual(await namesOf(), ['first', 'a', 'third', 'b', 'last']);
      assert.equal((await client.readGate(gate.id)).rules_count, 5);
    });
  });

  describe('200', () => {
    it('the list of rules is in order and not paged, and one rule is read alone [D170 D172]', async () => {
      for (let count = 0; count < 30; count += 1) await add(`rule ${count}`);
      const { json } = await client.call<{ data: WireRule[] }>('GET', path());
      assert.deepEqual(Object.keys(json), ['data']);
      assert.deepEqual(
        json.data.map(({ name, position }) => [name, position]),
        Array.from({ length: 30 }, (_, index) => [`rule ${index}`, index]),
      );
      const one = json.data[17];
      assert.deepEqual((await client.call('GET', path(`/${one?.id}`))).json, { data: one });
    });

    it('a change of a rule touches what it names, and counts as a change of the gate [D173]', async () => {
      const rule = await add('Before');
      started.clock.advance(5_000);
      const { status, json } = await client.call<{ data: WireRule }>('PATCH', path(`/${rule.id}`), {
        name: 'After',
        mode: 'shadow',
        conditions: [{ field: 'domain.spam', operator: 'equals', value: true }],
      });
      assert.equal(status, 200);
      const { updated_at, ...rest } = json.data;
      const { updated_at: before, ...old } = rule;
      assert.deepEqual(rest, {
        ...old,
        name: 'After',
        mode: 'shadow',
        conditions: [{ field: 'domain.spam', operator: 'equals', value: true }],
      });
      assert.ok(String(updated_at) > String(before));
      assert.equal((await client.readGate(gate.id)).updated_at, updated_at);
    });

    it('a change of a rule may move it to a position [D187]', async () => {
      const rules = [await add('a'), await add('b'), await add('c')];
      const move = (index: number, position: number) =>
        client.call<{ data: WireRule }>('PATCH', path(`/${rules[index]?.id}`), { position });
      assert.equal((await move(2, 0)).json.data.position, 0);
      assert.deepEqual(await namesOf(), ['c', 'a', 'b']);
      assert.equal((await move(2, 99)).json.data.position, 2);
      assert.deepEqual(await namesOf(), ['a', 'b', 'c']);
      await move(0, 1);
      assert.deepEqual(await namesOf(), ['b', 'a', 'c']);
    });

    it('a new order of rules is answered with the rules in that order', async () => {
      const rules = [await add('a'), await add('b'), await add('c')];
      const ids = rules.map(({ id }) => id).reverse();
      const { status, json } = await client.call<{ data: WireRule[] }>('PUT', path('/order'), { rule_ids: ids });
      assert.equal(status, 200);
      assert.deepEqual(
        json.data.map(({ name, position }) => [name, position]),
        [
          ['c', 0],
          ['b', 1],
          ['a', 2],
        ],
      );
      assert.deepEqual(await namesOf(), ['c', 'b', 'a']);
    });

    it('a gate without rules accepts the empty order', async () => {
      const { status, json } = await client.call('PUT', path('/order'), { rule_ids: [] });
      assert.deepEqual([status, json], [200, { data: [] }]);
    });
  });

  describe('204', () => {
    it('a removed rule is gone and the others close up [D174]', async () => {
      const rules = [await add('a'), await add('b'), await add('c')];
      const answer = await client.call('DELETE', path(`/${rules[1]?.id}`));
      assert.deepEqual([answer.status, answer.text], [204, '']);
      const left = (await client.readGate(gate.id)).rules;
      assert.deepEqual(
        left.map(({ name, position }) => [name, position]),
        [
          ['a', 0],
          ['c', 1],
        ],
      );
      assert.equal((await client.call('DELETE', path(`/${rules[1]?.id}`))).json.error, 'rule_not_found');
    });
  });

  describe('404', () => {
    it('a rule that is not there or belongs to another gate is rule_not_found, whatever the method', async () => {
      const other = await client.createGate();
      const foreign = await client.addRule(other.id);
      for (const id of ['01k00000000000000000000000', 'nonsense', '%00', foreign.id]) {
        for (const [method, body] of [
          ['GET', undefined],
          ['PATCH', { name: 'x' }],
          ['DELETE', undefined],
        ] as const) {
          const { status, json } = await client.call(method, path(`/${id}`), body);
          assert.deepEqual(
            [status, json],
            [404, { error: 'rule_not_found', message: errorTable.rule_not_found.message }],
            `${method} ${id}`,
          );
        }
      }
      assert.equal((await client.readGate(other.id)).rules[0]?.id, foreign.id);
    });

    it('a rule that is not there of a gate that is not there is gate_not_found', async () => {
      const { json } = await client.call('GET', '/v1/gates/01k00000000000000000000000/rules/nonsense');
      assert.equal(json.error, 'gate_not_found');
    });
  });

  describe('422', () => {
    const withCondition = (change: object) => ({ ...draft, conditions: [{ ...condition, ...change }] });
    const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
      ['nothing in it', {}, ['name', 'action', 'conditions']],
      ['a misspelt stop', { ...draft, stpo: true }, ['stpo']],
      ['an unknown field', withCondition({ field: 'domain.colour' }), ['conditions.0.field']],
      ['an operator of another type', withCondition({ operator: 'contains' }), ['conditions.0.operator']],
      ['a value of another type', withCondition({ value: 'false' }), ['conditions.0.value']],
      ['a value where none belongs', withCondition({ operator: 'is_unknown', value: true }), ['conditions.0.value']],
      ['an empty in list', withCondition({ field: 'domain.tld', operator: 'in', value: [] }), ['conditions.0.value']],
      [
        'an in list of 1,001',
        withCondition({ field: 'domain.tld', operator: 'in', value: Array(1_001).fill('x') }),
        ['conditions.0.value'],
      ],
      [
        'a range the wrong way round',
        withCondition({ field: 'domain.age_days', operator: 'between', value: [14, 0] }),
        ['conditions.0.value'],
      ],
      [
        'a number with a fraction',
        withCondition({ field: 'domain.age_days', operator: 'less_than', value: 1.5 }),
        ['conditions.0.value'],
      ],
      [
        'a regular expression RE2 refuses',
        withCondition({ field: 'domain.name', operator: 'matches', value: '(?=x)' }),
        ['conditions.0.value'],
      ],
      [
        'a regular expression of 513 characters',
        withCondition({ field: 'domain.name', operator: 'matches', value: 'a'.repeat(513) }),
        ['conditions.0.value'],
      ],
      ['a misspelt key of a condition', withCondition({ val: 1 }), ['conditions.0.val']],
      ['no conditions', { ...draft, conditions: [] }, ['conditions']],
      ['51 conditions', { ...draft, conditions: Array(51).fill(condition) }, ['conditions']],
      ['a name of 121 characters', { ...draft, name: 'n'.repeat(121) }, ['name']],
      ['a message of 501 characters', { ...draft, message: 'm'.repeat(501) }, ['message']],
      ['an action that is none', { ...draft, action: 'deny' }, ['action']],
      ['a match that is none', { ...draft, match: 'some' }, ['match']],
      ['a mode that is none', { ...draft, mode: 'dry' }, ['mode']],
      ['a position below 0', { ...draft, position: -1 }, ['position']],
      ['a position that is no integer', { ...draft, position: '1' }, ['position']],
      ['a list for a body', [draft], ['body']],
      ['no JSON', '{', ['body']],
    ];
    for (const [name, body, paths] of rows) {
      it(`a rule with ${name} is refused with the path of each problem, and nothing changes [D163 D188 D210]`, async () => {
        const rule = await add('DomainTrust');
        const before = await client.readGate(gate.id);
        const created = await client.call('POST', path(), body);
        assert.deepEqual([created.status, created.json.error], [422, 'validation_failed']);
        assert.deepEqual(Object.keys(created.json.errors ?? {}).sort(), [...paths].sort());
        if (name !== 'nothing in it') {
          const changed = await client.call('PATCH', path(`/${rule.id}`), body);
          assert.deepEqual([changed.status, changed.json.error], [422, 'validation_failed']);
          assert.deepEqual(Object.keys(changed.json.errors ?? {}).sort(), [...paths].sort());
        }
        assert.deepEqual(await client.readGate(gate.id), before);
      });
    }

    it('an order that is not exactly the rules of the gate, each once, is refused and changes nothing [D175]', async () => {
      const foreign = await client.addRule((await client.createGate()).id);
      const [a, b] = [await add('a'), await add('b')];
      const before = await client.readGate(gate.id);
      const rows: readonly (readonly [unknown, readonly string[]])[] = [
        [{ rule_ids: [a.id, a.id] }, ['rule_ids', 'rule_ids.1']],
        [{ rule_ids: [a.id] }, ['rule_ids']],
        [{ rule_ids: [a.id, b.id, b.id] }, ['rule_ids.2']],
        [{ rule_ids: [a.id, b.id, foreign.id] }, ['rule_ids.2']],
        [{ rule_ids: [b.id, 'nonsense', a.id] }, ['rule_ids.1']],
        [{ rule_ids: [a.id, 7] }, ['rule_ids.1']],
        [{ rule_ids: 'ab' }, ['rule_ids']],
        [{}, ['rule_ids']],
        [{ rule_ids: [b.id, a.id], rules: [] }, ['rules']],
        [[], ['body']],
      ];
      for (const [body, paths] of rows) {
        const { status, json } = await client.call('PUT', path('/order'), body);
        assert.deepEqual([status, json.error], [422, 'validation_failed'], JSON.stringify(body));
        assert.deepEqual(Object.keys(json.errors ?? {}).sort(), paths, JSON.stringify(body));
      }
      assert.deepEqual(await client.readGate(gate.id), before);
    });

    it('an order or conditions with many problems are refused with 20 of them', async () => {
      const order = { rule_ids: Array.from({ length: 5000 }, (_, index) => `rule-${index}`) };
      const rule = { name: 'n', action: 'block', conditions: Array(50).fill({}) };
      for (const [method, at, body] of [
        ['PUT', path('/order'), order],
        ['POST', path(''), rule],
      ] as const) {
        const { status, json } = await client.call(method, at, body);
        assert.equal(status, 422);
        assert.equal(Object.values(json.errors ?? {}).flat().length, 20, method);
      }
    });

    it('an order for a gate that is not there is refused for its shape first, and for its ids after the gate [D176]', async () => {
      const missing = '/v1/gates/01k00000000000000000000000/rules/order';
      assert.equal((await client.call('PUT', missing, { rule_ids: 'x' })).json.error, 'validation_failed');
      assert.equal((await client.call('PUT', missing, { rule_ids: ['x'] })).json.error, 'gate_not_found');
    });

    it('the 101st rule of a gate is refused, also when many are added concurrently [D208]', async () => {
      const answers: Response<WireError>[] = [];
      // Eight at a time: no more than the database has connections for, so that nothing waits long enough to be refused.
      for (let added = 0; added < 104; added += 8) {
        answers.push(
          ...(await Promise.all(Array.from({ length: 8 }, () => client.call<WireError>('POST', path(), draft)))),
        );
      }
      assert.equal(answers.filter(({ status }) => status === 201).length, 100);
      for (const { status, json } of answers.filter((answer) => answer.status !== 201)) {
        assert.deepEqual([status, json.error], [422, 'rule_limit_reached']);
      }
      const { rules } = await client.readGate(gate.id);
      assert.deepEqual(
        rules.map(({ position }) => position),
        Array.from({ length: 100 }, (_, index) => index),
      );
    });

    it('rules are accepted however many regular expressions their gate has, within the limit of its values [D299]', async () => {
      const large = { field: 'domain.mx_records.*.hostname', operator: 'matches', value: '[B-\\x{1E942}]'.repeat(39) };
      const rule = { ...draft, conditions: Array(50).fill(large) };
      for (let count = 0; count < 5; count += 1) assert.equal((await client.call('POST', path(), rule)).status, 201);
      assert.equal((await client.readGate(gate.id)).rules_count, 5);
    });
  });

  it('a decision right after a change of a rule follows the change', async () => {
    const rule = await client.addRule(gate.id, blockDomain('example.com'));
    const decide = async () => (await client.decide(gate.id, { domain: 'example.com' })).decision.action;
    assert.equal(await decide(), 'block');
    await client.call('PATCH', path(`/${rule.id}`), { action: 'challenge' });
    assert.equal(await decide(), 'challenge');
    await client.call('PATCH', path(`/${rule.id}`), { enabled: false });
    assert.equal(await decide(), 'allow');
    await client.call('PATCH', `/v1/gates/${gate.id}`, { default_action: 'block' });
    assert.equal(await decide(), 'block');
    await client.addRule(gate.id, { ...blockDomain('example.com'), action: 'allow' });
    assert.equal(await decide(), 'allow');
    await client.call('DELETE', `/v1/gates/${gate.id}`);
    const { status, json } = await client.call('POST', `/v1/gates/${gate.id}/decisions`, { domain: 'example.com' });
    assert.deepEqual([status, json.error], [404, 'gate_not_found']);
  });
});
