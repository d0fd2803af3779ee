import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { withoutRule } from '../src/gates/gate-edits.ts';
import { createGatesStore } from '../src/gates/gates-store.ts';
import { describeService } from './engines.ts';
import { eventually } from './eventually.ts';
import { blockDomain, type GateClient, gateClient } from './gate-client.ts';
import { realClock, type StartedApp, startApp } from './start-app.ts';
import { tester } from './tester.ts';

await describeService('versions of a gate', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  before(async () => {
    started = await startApp({}, { database: await fresh(), clock: realClock() });
    client = gateClient(started);
  });
  after(() => started.close());

  const decide = (gateId: string) =>
    started.request<{ decision: { action: string; matched_rule: { name: string } | null } }>(
      'POST',
      `/v1/gates/${gateId}/decisions`,
      { key: started.keys.production, body: { domain: 'example.com' } },
    );

  it('each decision during concurrent changes uses one version of the gate, and the newest once its change is acknowledged [Q29]', async () => {
    const { id } = await client.createGate();
    // Every version has both rules: the last match is the lower one, and its name matches its action.
    const block = await client.addRule(id, { ...blockDomain('example.com'), name: 'block' });
    const challenge = await client.addRule(id, {
      ...blockDomain('example.com'),
      name: 'challenge',
      action: 'challenge',
    });
    let changing = true;
    let decided = 0;
    const deciding = Array.from({ length: 4 }, async () => {
      while (changing) {
        const { status, json } = await decide(id);
        assert.equal(status, 200);
        assert.equal(json.decision.matched_rule?.name, json.decision.action);
        decided += 1;
      }
    });
    for (let round = 0; round < 30; round += 1) {
      const order = round % 2 === 0 ? [challenge.id, block.id] : [block.id, challenge.id];
      const answer = await client.call('PUT', `/v1/gates/${id}/rules/order`, { rule_ids: order });
      assert.equal(answer.status, 200);
      assert.equal((await decide(id)).json.decision.action, round % 2 === 0 ? 'block' : 'challenge');
    }
    changing = false;
    await Promise.all(deciding);
    assert.ok(decided > 30, String(decided));
  });

  it('decisions soon follow a change and a removal of the gate by another process [Q30]', async (t) => {
    const { id } = await client.createGate();
    const rule = await client.addRule(id);
    assert.equal((await decide(id)).json.decision.action, 'block');
    const elsewhere = createGatesStore(started.db);
    const owner = { accountId: started.first.id, environment: 'production', by: tester } as const;
    await elsewhere.edit(owner, id, { change: (gate, nowMs) => withoutRule(gate, rule.id, nowMs) }, Date.now());
    const changedAt = performance.now();
    await eventually(async () => assert.equal((await decide(id)).json.decision.action, 'allow'));
    t.diagnostic(`decided by after ${Math.round(performance.now() - changedAt)} ms`);
    await elsewhere.remove(owner, id, Date.now());
    await eventually(async () => assert.equal((await decide(id)).status, 404));
  });
});
