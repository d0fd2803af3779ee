import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { describeService, temporaryDirectory } from './engines.ts';
import { eventually, until } from './eventually.ts';
import { blockDomain, gateClient } from './gate-client.ts';
import { type StartedApp, startApp } from './start-app.ts';
import { webhookClient } from './webhook-client.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

interface ReportedDecisions {
  readonly decisions: readonly {
    readonly decision_id: string;
    readonly gate_id: string;
    readonly action: string;
    readonly matched_rule: { readonly name: string } | null;
  }[];
  readonly omitted: number;
}

await describeService('events of webhooks', (fresh) => {
  let started: StartedApp;
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
    const plans = join(temporaryDirectory(), 'plans.json');
    const unlimited = { id: 'self-hosted', name: 'Self-hosted', pro: true, credits: 1_000_000, rate_limit: 1_000 };
    writeFileSync(plans, JSON.stringify([unlimited, { ...unlimited, id: 'ten', name: 'Ten', credits: 10 }]));
    const variables = { OUTBOUND_ALLOW: receiver.origin, PLANS_FILE: plans };
    started = await startApp(variables, { database: await fresh(), maxJobPauseMs: 100 });
  });
  after(async () => {
    await started.close();
    await receiver.close();
  });

  const receivedAt = (path: string) =>
    receiver.received.filter(({ url }) => url === path).map(({ body }) => JSON.parse(body));

  it('credits.threshold is sent once at 80 % and once at 100 % of the month, to every environment of the account', async () => {
    const account = await started.createAccount({ plan: 'ten' });
    const events = ['credits.threshold'];
    for (const environment of ['production', 'staging'] as const) {
      const url = `${receiver.origin}/credits/${environment}`;
      await webhookClient(started, account.keys[environment]).create({ url, events });
    }
    const lookUp = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        await started.request('GET', '/domain/example.com', { key: account.keys.production });
      }
    };
    const thresholdEvents = (environment: string) =>
      receivedAt(`/credits/${environment}`).map(({ type, data }) => [
        type,
        data.threshold_percent,
        data.used,
        data.limit,
      ]);
    await lookUp(8);
    await until(() => thresholdEvents('production').length > 0);
    assert.deepEqual(thresholdEvents('production'), [['credits.threshold', 80, 8, 10]]);
    await lookUp(3);
    const both = [
      ['credits.threshold', 80, 8, 10],
      ['credits.threshold', 100, 10, 10],
    ];
    for (const environment of ['production', 'staging']) {
      await until(() => thresholdEvents(environment).length > 1);
      assert.deepEqual(thresholdEvents(environment), both);
    }
  });

  it('gate.decision reports a decision right after a webhook was created, to each receiver with the same webhook-id', async () => {
    const account = await started.createAccount();
    const gates = gateClient(started, account.keys.production);
    const { id: gateId } = await gates.createGate();
    const client = webhookClient(started, account.keys.production);
    const url = (path: string) => `${receiver.origin}/new/${path}`;
    const events = ['gate.decision'];
    const first = await client.create({ url: url('all'), events });
    const second = await client.create({ url: url('some'), events, gate_ids: [gateId], actions: ['allow'] });
    const { meta } = await gates.decide(gateId, { domain: 'example.com' });
    const at = (path: string) => receiver.received.find((one) => one.url === `/new/${path}`);
    await until(() => at('all') !== undefined && at('some') !== undefined);
    const { data } = JSON.parse(at('all')?.body ?? '') as { data: ReportedDecisions };
    assert.deepEqual(
      data.decisions.map(({ decision_id }) => decision_id),
      [meta.decision_id],
    );
    assert.equal(at('all')?.headers['webhook-id'], at('some')?.headers['webhook-id']);
    for (const { id } of [first, second]) {
      await eventually(async () => {
        const [delivery] = await client.deliveries(id);
        assert.deepEqual([delivery?.state, delivery?.event_id], ['delivered', at('all')?.headers['webhook-id']]);
      });
    }
  });

  it('gate.decision reports decisions of the chosen gates and actions, in batches per second, without addresses', async () => {
    const account = await started.createAccount();
    const gates = gateClient(started, account.keys.production);
    const [chosen, other] = [await gates.createGate(), await gates.createGate()];
    const rule = await gates.addRule(chosen.id, blockDomain('bad.example'));
    await gates.addRule(other.id, blockDomain('bad.example'));
    const client = webhookClient(started, account.keys.production);
    const url = (path: string) => `${receiver.origin}/decisions/${path}`;
    const events = ['gate.decision'];
    await client.create({ url: url('some'), events, gate_ids: [chosen.id], actions: ['block'] });
    const all = await client.create({ url: url('all'), events });
    await client.create({ url: url('none'), events: ['credits.threshold'] });
    const staging = webhookClient(started, account.keys.staging);
    await staging.create({ url: url('none'), events });

    const ids = new Set<string>();
    const decisionsAt = (path: string) =>
      receivedAt(`/decisions/${path}`).flatMap(({ data }: { data: ReportedDecisions }) => data.decisions);
    // A new webhook reaches the deciding process after a short delay.
    await until(async () => {
      await gates.decide(chosen.id, { email: 'warm@bad.example' });
      return decisionsAt('some').length > 0 && decisionsAt('all').length > 0;
    });
    const before = new Set([...decisionsAt('some'), ...decisionsAt('all')].map(({ decision_id }) => decision_id));
    for (let times = 0; times < 20; times += 1) {
      for (const [gate, domain] of [
        [chosen, 'bad.example'],
        [chosen, 'good.example'],
        [other, 'bad.example'],
      ] as const) {
        const { meta } = await gates.decide(gate.id, { email: `jane${times}@${domain}` });
        ids.add(meta.decision_id);
      }
    }
    const fresh = (path: string) => decisionsAt(path).filter(({ decision_id }) => ids.has(decision_id));
    await until(() => fresh('all').length === 60 && fresh('some').length === 20);
    assert.deepEqual(new Set(fresh('all').map(({ decision_id }) => decision_id)), ids);
    for (const { gate_id, action, matched_rule } of fresh('some')) {
      assert.deepEqual([gate_id, action, matched_rule?.name], [chosen.id, 'block', rule.name]);
    }
    assert.ok(before.isDisjointFrom(ids));
    assert.deepEqual(receivedAt('/decisions/none'), []);
    assert.doesNotMatch(receiver.received.map(({ body }) => body).join(), /jane|@|warm/);

    const rows = await started.db.read
      .selectFrom('webhook_deliveries')
      .select('event_key')
      .where('webhook_id', '=', all.id)
      .execute();
    const seconds = rows.map(({ event_key }) => event_key);
    assert.equal(new Set(seconds).size, seconds.length);
    const deliveries = receiver.received.filter(({ url: path }) => path === '/decisions/all');
    assert.ok(deliveries.length < 60, `${deliveries.length} deliveries for 60 decisions`);
  });
});
