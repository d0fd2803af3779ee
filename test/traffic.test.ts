import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { DatabaseOptions } from '../src/db/db.ts';
import { describeService } from './engines.ts';
import { type GateClient, gateClient, type WireDecision } from './gate-client.ts';
import { type StartedApp, startApp } from './start-app.ts';

const nowMs = Date.UTC(2026, 10, 15, 14);
const dayMs = 86_400_000;

const condition = (field: string, value: number) => ({ field, operator: 'greater_than_or_equal', value });
const manyAtDomain = { name: 'Many', action: 'block', conditions: [condition('traffic.domain.addresses_1h', 3)] };

type Traffic = Readonly<Record<string, Readonly<Record<string, number | null>> | null>> | null;
const trafficOf = ({ signals }: Pick<WireDecision, 'signals'>) => (signals as { readonly traffic?: Traffic }).traffic;

await describeService('the traffic of an environment', (fresh) => {
  let database: DatabaseOptions;
  let started: StartedApp;
  let client: GateClient;
  before(async () => {
    database = await fresh();
    started = await startApp({}, { database, nowMs });
    client = gateClient(started);
  });
  after(() => started.close());

  const gateWith = async (rule: object, owner = client) => {
    const gate = await owner.createGate();
    await owner.addRule(gate.id, rule);
    return gate;
  };

  it('is in the response if an enabled rule of the gate uses it, the current decision included [D401 D411 D412]', async () => {
    const gate = await gateWith({ ...manyAtDomain, mode: 'shadow' });
    await client.decide(gate.id, { email: 'J.ane+1@gmail.com', ip: '203.0.113.7' });
    const second = await client.decide(gate.id, { email: 'jane@gmail.com', ip: '203.0.113.9' });
    assert.deepEqual(trafficOf(second), {
      address: { decisions_1h: 2, decisions_24h: 2, spellings_24h: 2 },
      domain: { addresses_1h: 1, addresses_24h: 1, first_seen_days: 0 },
      mail_server: null,
      ip: { addresses_1h: 1, addresses_24h: 1 },
      network: { addresses_1h: 1, addresses_24h: 1 },
      device: null,
      in_wave: false,
      wave_id: null,
    });
    const other = trafficOf(await client.decide(gate.id, { email: 'joe@googlemail.com', ip: '2001:db8::1' }));
    assert.deepEqual([other?.domain?.addresses_1h, other?.network?.addresses_1h], [1, 1]);
    const withoutIp = trafficOf(await client.decide(gate.id, { email: 'joe@gmail.com' }));
    assert.deepEqual([withoutIp?.domain?.addresses_1h, withoutIp?.ip, withoutIp?.network], [2, null, null]);
    assert.equal(trafficOf(await client.decide(gate.id, { domain: 'gmail.com' })), null);
    const disabled = await gateWith({ ...manyAtDomain, enabled: false });
    assert.equal(trafficOf(await client.decide(disabled.id, { email: 'x@example.net' })), undefined);
  });

  it('counts a /64 of IPv6 as one IP address, a /24 or /48 as one network, and the addresses of a device [D413 D414]', async () => {
    const gate = await gateWith(manyAtDomain);
    const visits = [
      ['a', '2001:db8:9:1::1', 'tablet', { ip: 1, network: 1, device: 1 }],
      ['b', '2001:db8:9:1:ffff::2', 'tablet', { ip: 2, network: 2, device: 2 }],
      ['c', '2001:db8:9:2::1', 'phone', { ip: 1, network: 3, device: 1 }],
      ['d', '2001:db8:a:1::1', 'tablet', { ip: 1, network: 1, device: 3 }],
      ['e', '192.0.2.1', 'phone', { ip: 1, network: 1, device: 2 }],
      ['f', '192.0.2.255', 'phone', { ip: 1, network: 2, device: 3 }],
      ['g', '192.0.3.1', 'phone', { ip: 1, network: 1, device: 4 }],
    ] as const;
    for (const [name, ip, device, expected] of visits) {
      const traffic = trafficOf(await client.decide(gate.id, { email: `${name}@${name}-visit.example`, ip, device }));
      const counted = { ip: traffic?.ip, network: traffic?.network, device: traffic?.device };
      const addresses = Object.fromEntries(
        Object.entries(counted).map(([what, counts]) => [what, counts?.addresses_24h]),
      );
      assert.deepEqual(addresses, expected, `${ip} ${device}`);
    }
  });

  it('decides, is traced as if the decision was made now, and is logged as it was shown [D405]', async () => {
    const gate = await gateWith(manyAtDomain);
    for (const name of ['a', 'b']) {
      const { decision } = await client.decide(gate.id, { email: `${name}@wave.example` });
      assert.equal(decision.action, 'allow');
    }
    const trace = async (body: object) => {
      const { json } = await client.call<{ data: Pick<WireDecision, 'signals'> & { action: string } }>(
        'POST',
        `/v1/gates/${gate.id}/trace`,
        body,
      );
      return [json.data.action, trafficOf(json.data)?.domain?.addresses_1h];
    };
    assert.deepEqual(await trace({ email: 'c@wave.example' }), ['block', 3]);
    assert.deepEqual(await trace({ email: 'c@wave.example' }), ['block', 3]);
    const third = await client.decide(gate.id, { email: 'c@wave.example' });
    assert.equal(third.decision.action, 'block');
    assert.deepEqual(await trace({ decision_id: third.meta.decision_id }), ['block', 3]);
    const path = `/v1/gates/${gate.id}/decisions/${third.meta.decision_id}`;
    const { json } = await client.call<{ data: WireDecision }>('GET', path);
    assert.deepEqual(json.data.signals, third.signals);
  });

  it('is logged for gates without a rule on it, so that the first one can be backtested [D404]', async () => {
    const gate = await client.createGate();
    for (const name of ['a', 'b', 'c', 'd']) await client.decide(gate.id, { email: `${name}@quiet.example` });
    const rules = { rules: [manyAtDomain] };
    const { json } = await client.call<{ data: object }>('POST', `/v1/gates/${gate.id}/backtest`, rules);
    const { evaluated, changed } = json.data as { evaluated: number; changed: number };
    assert.deepEqual([evaluated, changed], [4, 2]);
    const log = await client.call<{ data: WireDecision[] }>('GET', `/v1/gates/${gate.id}/decisions`);
    assert.equal('traffic' in (log.json.data[0]?.signals ?? {}), false);
  });

  it('covers the gates of an environment, and no failed decision [D407]', async () => {
    const [one, two] = [await gateWith(manyAtDomain), await client.createGate()];
    const body = { email: 'a@failed.example', ip: 'no address' };
    assert.equal((await client.call('POST', `/v1/gates/${one.id}/decisions`, body)).status, 422);
    await client.decide(two.id, { email: 'b@failed.example' });
    const counted = trafficOf(await client.decide(one.id, { email: 'c@failed.example' }));
    assert.equal(counted?.domain?.addresses_24h, 2);
    const staging = gateClient(started, started.keys.staging);
    const other = await gateWith(manyAtDomain, staging);
    assert.equal(trafficOf(await staging.decide(other.id, { email: 'd@failed.example' }))?.domain?.addresses_24h, 1);
  });

  it('survives a restart, and knows since when the domain is seen [D406]', async () => {
    const gate = await gateWith(manyAtDomain);
    await client.decide(gate.id, { email: 'a@mail.kept.example' });
    await started.app.close();
    await started.db.close();
    const existing = started.keys.production;
    started = await startApp({}, { database, nowMs: nowMs + dayMs / 2, existing });
    const again = await gateClient(started, existing).decide(gate.id, { email: 'b@kept.example' });
    assert.deepEqual(trafficOf(again)?.domain, { addresses_1h: 1, addresses_24h: 2, first_seen_days: 1 });
  });
});
