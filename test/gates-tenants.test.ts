import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeService } from './engines.ts';
import { blockDomain, gateClient, type WireDecision } from './gate-client.ts';
import { type StartedApp, startApp, type TestAccount } from './start-app.ts';

const missing = '01k00000000000000000000000';

/** Every endpoint inside a gate; the ids are filled in. */
const calls = [
  ['GET', '/v1/gates/GATE'],
  ['PATCH', '/v1/gates/GATE', { name: 'Taken over' }],
  ['DELETE', '/v1/gates/GATE'],
  ['GET', '/v1/gates/GATE/rules'],
  ['POST', '/v1/gates/GATE/rules', blockDomain('example.com')],
  ['GET', '/v1/gates/GATE/rules/RULE'],
  ['PATCH', '/v1/gates/GATE/rules/RULE', { enabled: false }],
  ['DELETE', '/v1/gates/GATE/rules/RULE'],
  ['PUT', '/v1/gates/GATE/rules/order', { rule_ids: [] }],
  ['PUT', '/v1/gates/GATE/rules', { rules: [], expected_revision: 1 }],
  ['GET', '/v1/gates/GATE/revisions'],
  ['GET', '/v1/gates/GATE/revisions/current'],
  ['POST', '/v1/gates/GATE/revisions/1/restore', {}],
  ['POST', '/v1/gates/GATE/decisions', { email: 'jane@gmail.com' }],
  ['POST', '/v0/gates/GATE/decisions', { email: 'jane@gmail.com' }],
  ['GET', '/v1/gates/GATE/decisions'],
  ['GET', '/v1/gates/GATE/decisions/DECISION'],
  ['GET', '/v1/gates/GATE/stats'],
  ['POST', '/v1/gates/GATE/backtest', { rules: [] }],
  ['POST', '/v1/gates/GATE/trace', { decision_id: 'DECISION' }],
] as const;

await describeService('a gate of another tenant', (fresh) => {
  let started: StartedApp;
  let other: TestAccount;
  let revoked: string;
  let decision: WireDecision;
  const ids = { gate: '', rule: '' };
  before(async () => {
    started = await startApp({}, { database: await fresh() });
    other = await started.createAccount();
    const made = await started.operator.keys.create({
      accountId: started.first.id,
      environment: 'production',
      name: null,
    });
    await started.operator.keys.revoke(made.record.id);
    revoked = made.key;
    const client = gateClient(started);
    ids.gate = (await client.createGate()).id;
    ids.rule = (await client.addRule(ids.gate)).id;
    decision = await client.decide(ids.gate, { email: 'jane@example.com' });
  });
  after(() => started.close());

  const requestId = '01K00000000000000000000000';
  const ask = async (key: string | undefined, gate: string, [method, path, body]: (typeof calls)[number]) => {
    const filled = path.replace('GATE', gate).replace('RULE', ids.rule).replace('DECISION', decision.meta.decision_id);
    return started.request(method, filled, {
      ...(key === undefined ? {} : { key }),
      ...(body === undefined ? {} : { body }),
      headers: { 'x-request-id': requestId },
    });
  };

  for (const call of calls) {
    it(`a gate of another tenant: ${call[0]} ${call[1]} answers exactly as for a missing gate [D160]`, async () => {
      const otherTenants = [other.keys.production, other.keys.staging, started.keys.staging, started.keys.development];
      for (const key of otherTenants) {
        const foreign = await ask(key, ids.gate, call);
        const absent = await ask(key, missing, call);
        assert.equal(foreign.status, 404);
        assert.equal(foreign.text, absent.text);
        const { date: _date, 'x-ratelimit-remaining': _left, ...headers } = foreign.headers;
        const { date: _otherDate, 'x-ratelimit-remaining': _otherLeft, ...otherHeaders } = absent.headers;
        assert.deepEqual(headers, otherHeaders);
      }
    });

    it(`a gate of another tenant: ${call[0]} ${call[1]} answers 401 without a key and with a revoked one`, async () => {
      for (const key of [undefined, revoked]) {
        const { status, json } = await ask(key, ids.gate, call);
        assert.deepEqual([status, (json as { error: string }).error], [401, 'unauthorized']);
      }
    });
  }

  it('other tenants see no gates in their lists', async () => {
    for (const key of [other.keys.production, started.keys.staging]) {
      const { json } = await gateClient(started, key).call('GET', '/v1/gates');
      assert.deepEqual(json, { data: [], meta: { next_cursor: null } });
    }
  });

  it('a gate of another tenant: its rules cannot be ordered in, nor its decisions read from, an own gate', async () => {
    const otherTenant = gateClient(started, other.keys.production);
    const own = await otherTenant.createGate();
    const order = await otherTenant.call('PUT', `/v1/gates/${own.id}/rules/order`, { rule_ids: [ids.rule] });
    assert.deepEqual(Object.keys(order.json.errors ?? {}), ['rule_ids.0']);
    const read = await otherTenant.call('GET', `/v1/gates/${own.id}/decisions/${decision.meta.decision_id}`);
    assert.equal(read.json.error, 'decision_not_found');
    const changed = await otherTenant.call('PATCH', `/v1/gates/${own.id}/rules/${ids.rule}`, { enabled: false });
    assert.equal(changed.json.error, 'rule_not_found');
  });

  describe('after all requests of other tenants', () => {
    it('a gate is unchanged after all requests of other tenants, and none of them was charged or logged', async () => {
      const client = gateClient(started);
      const { name, rules } = await client.readGate(ids.gate);
      assert.deepEqual([name, rules.map(({ id, enabled }) => [id, enabled])], ['Signup', [[ids.rule, true]]]);
      const { json } = await client.call<{ data: unknown[] }>('GET', `/v1/gates/${ids.gate}/decisions`);
      assert.equal(json.data.length, 1);
      const { usage } = (
        await started.request<{ usage: { current: number } }>('GET', '/status', { key: other.keys.production })
      ).json;
      assert.equal(usage.current, 0);
    });
  });
});
