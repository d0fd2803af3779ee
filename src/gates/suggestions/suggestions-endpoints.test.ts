import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { seededRandom } from '../../../bench/seeded-random.ts';
import { describeService } from '../../../test/engines.ts';
import { type GateClient, gateClient, type WireError } from '../../../test/gate-client.ts';
import { madeUpLog } from '../../../test/gates/made-up-log.ts';
import { type StartedApp, startApp } from '../../../test/start-app.ts';
import { deriveRules } from './derive-rules.ts';

const startMs = Date.UTC(2026, 10, 15, 0, 20);

interface Suggested {
  readonly data: readonly {
    readonly rule: { readonly action: string; readonly conditions: readonly { readonly field: string }[] };
    readonly stops_bad: number;
    readonly stops_good: number;
    readonly stops_unknown: number;
    readonly examples: readonly { readonly email?: string; readonly outcome: string | null }[];
  }[];
}

await describeService('suggested rules', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  let gateId: string;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs: startMs });
    client = gateClient(started);
    gateId = (await client.createGate()).id;
    // Bad: long names at the TLD xyz. Either alone is common among good sign-ups.
    const random = seededRandom(7);
    const outcomes: object[] = [];
    for (let index = 0; index < 180; index += 1) {
      const isBad = index % 4 === 0;
      const [length, tld] = isBad ? [14, 'xyz'] : random.integer(2) === 0 ? [14, 'com'] : [5, 'xyz'];
      const email = `${random.label(length)}@${random.label(8)}.${tld}`;
      const { meta } = await client.decide(gateId, { email });
      const outcome = isBad ? 'bad' : 'good';
      if (index % 20 !== 1) outcomes.push({ decision_id: meta.decision_id, outcome });
    }
    await client.decide(gateId, { email: `${random.label(14)}@${random.label(8)}.xyz` });
    await client.call('POST', '/v1/outcomes', { outcomes });
  });
  after(() => started.close());

  const suggest = (body: object = {}, gate = gateId) =>
    client.call<Suggested & WireError>('POST', `/v1/gates/${gate}/suggestions`, body);

  describe('200', () => {
    it('suggests the two conditions that bad decisions have in common, with what the rule would stop [D446]', async () => {
      const { status, json, text } = await suggest();
      assert.equal(status, 200, text);
      const [first] = json.data;
      assert.deepEqual(first?.rule.conditions.map(({ field }) => field).sort(), [
        'domain.tld',
        'email.local_part_length',
      ]);
      assert.deepEqual(
        [first?.rule.action, first?.stops_bad, first?.stops_good, first?.stops_unknown],
        ['block', 45, 0, 1],
      );
      assert.ok(first?.examples.every(({ email, outcome }) => email?.endsWith('.xyz') && outcome === 'bad'));
      assert.equal(json.data.length, 1);
    });

    it('keeps a result for a minute, and uses new outcomes immediately', async () => {
      const { id } = await client.createGate();
      const outcomes: object[] = [];
      for (let index = 0; index < 120; index += 1) {
        const isBad = index % 3 === 0;
        const { meta } = await client.decide(id, {
          email: `${isBad ? 'bad' : 'good'}${index}@${isBad ? 'x.xyz' : 'y.com'}`,
        });
        outcomes.push({ decision_id: meta.decision_id, outcome: isBad ? 'bad' : 'good' });
      }
      const late = await client.decide(id, { email: 'bad99@x.xyz' });
      await client.call('POST', '/v1/outcomes', { outcomes });
      const stops = async () => {
        const [first] = (await suggest({}, id)).json.data;
        return [first?.stops_bad, first?.stops_unknown];
      };
      assert.deepEqual(await stops(), [40, 1]);
      await client.decide(id, { email: 'bad98@x.xyz' });
      assert.deepEqual(await stops(), [40, 1]);
      const report = { decision_id: late.meta.decision_id, outcome: 'bad' };
      await client.call('POST', '/v1/outcomes', { outcomes: [report] });
      assert.deepEqual(await stops(), [41, 1]);
    });

    it('a suggestion is accepted as a rule, and a backtest confirms its numbers [D446]', async () => {
      const { rule, stops_bad, stops_unknown } = (await suggest({ action: 'challenge' })).json.data[0] ?? {};
      const tried = await client.call<{ data: { changes: object[] } }>('POST', `/v1/gates/${gateId}/backtest`, {
        rules: [rule],
      });
      const count = (stops_bad ?? 0) + (stops_unknown ?? 0);
      assert.deepEqual(tried.json.data.changes, [{ from: 'allow', to: 'challenge', count, good: 0, bad: stops_bad }]);
      const { id } = await client.createGate();
      assert.equal((await client.call('POST', `/v1/gates/${id}/rules`, rule)).status, 201);
    });
  });

  describe('404', () => {
    it('rejects an unknown gate', async () => {
      assert.equal((await suggest({}, 'nonsense')).json.error, 'gate_not_found');
    });
  });

  describe('422', () => {
    it('rejects a span with fewer than 20 outcomes of each kind [D446]', async () => {
      const { id } = await client.createGate();
      assert.equal((await suggest({}, id)).json.error, 'too_few_outcomes');
      const { status, json } = await suggest({ to: '2026-11-14' });
      assert.deepEqual([status, json.error], [422, 'too_few_outcomes']);
    });

    it('rejects other actions, wrong spans and unknown fields', async () => {
      for (const [body, field] of [
        [{ action: 'allow' }, 'action'],
        [{ from: '2026-11-16', to: '2026-11-15' }, 'from'],
        [{ limit: 3 }, 'limit'],
      ] as const) {
        const { status, json } = await suggest(body);
        assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, [field]]);
      }
    });
  });
});

describe('derived rules', () => {
  const derive = async (outcomes: 'planted' | 'random', seed: number) => {
    const { integer } = seededRandom(seed);
    const random = () => integer(2 ** 32) / 2 ** 32;
    const { table, causes, isHeldOut } = madeUpLog({ entries: 1_500, bad: 40, outcomes, random });
    return { causes, rules: await deriveRules({ table, isHeldOut, scales: { good: 1, bad: 1, none: 1 } }, () => null) };
  };

  it('derived rules name the two fields of a planted cause among forty', async () => {
    for (const seed of [1, 2, 3]) {
      const { causes, rules } = await derive('planted', seed);
      assert.deepEqual([...new Set(rules[0]?.conditions.map(({ field }) => field))].sort(), causes, `seed ${seed}`);
    }
  });

  it('derived rules are none when outcomes are random', async () => {
    for (const seed of [1, 2, 3]) assert.deepEqual((await derive('random', seed)).rules, [], `seed ${seed}`);
  });
});
