import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeEngines } from '../../../test/engines.ts';
import { blockDomain, type GateClient, gateClient } from '../../../test/gate-client.ts';
import { type StartedApp, startApp } from '../../../test/start-app.ts';

const startMs = Date.UTC(2026, 10, 15, 22, 30);

interface Bucket {
  readonly at: string;
  readonly allow: number;
  readonly block: number;
  readonly challenge: number;
}
interface StatsAnswer {
  readonly data: {
    readonly actions: object;
    readonly rules: readonly { id: string; name: string; count: number; shadow_count: number }[];
    readonly buckets: readonly Bucket[];
  };
}
interface BacktestAnswer {
  readonly data: {
    readonly evaluated: number;
    readonly changed: number;
    readonly changes: readonly object[];
    readonly examples: readonly Readonly<Record<string, unknown>>[];
  };
}

const when = (field: string, value: unknown) => [{ field, operator: 'equals', value }];

await describeEngines('statistics and backtests', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs: startMs });
    client = gateClient(started);
  });
  after(() => started.close());

  describe('GET stats', () => {
    let gateId: string;
    const ids: Record<string, string> = {};
    before(async () => {
      started.clock.set(startMs);
      gateId = (await client.createGate()).id;
      const add = async (name: string, rule: object) => {
        ids[name] = (await client.addRule(gateId, { ...rule, name })).id;
      };
      await add('shadow', { ...blockDomain('x'), mode: 'shadow', conditions: when('domain.tld', 'example') });
      await add('wide', { ...blockDomain('x'), action: 'challenge', conditions: when('domain.tld', 'example') });
      await add('narrow', blockDomain('bad.example'));
      await add('gone', { ...blockDomain('x'), conditions: when('domain.name', 'bad.example') });
      await client.decide(gateId, { domain: 'bad.example' });
      await client.decide(gateId, { domain: 'good.example' });
      started.clock.advance(3_600_000);
      await client.decide(gateId, { domain: 'bad.example' });
      await client.decide(gateId, { domain: 'gmail.com' });
      started.clock.advance(3_600_000);
      await client.decide(gateId, { domain: 'gmail.com' });
      await client.call('DELETE', `/v1/gates/${gateId}/rules/${ids.gone}`);
    });
    const stats = async (query = '') => {
      const { status, json, text } = await client.call<StatsAnswer>('GET', `/v1/gates/${gateId}/stats${query}`);
      assert.equal(status, 200, text);
      return json.data;
    };

    it('GET stats 200: counts by action and by rule, live and shadow apart, also of rules that are gone [D181]', async () => {
      const { actions, rules } = await stats();
      assert.deepEqual(actions, { allow: 2, block: 2, challenge: 1 });
      assert.deepEqual(rules, [
        { id: ids.shadow, name: 'shadow', count: 0, shadow_count: 3, good: 0, bad: 0 },
        { id: ids.wide, name: 'wide', count: 3, shadow_count: 0, good: 0, bad: 0 },
        { id: ids.narrow, name: 'narrow', count: 2, shadow_count: 0, good: 0, bad: 0 },
        { id: ids.gone, name: 'gone', count: 2, shadow_count: 0, good: 0, bad: 0 },
      ]);
    });

    it('GET stats 200: a rule that is gone has the last name it matched under', async () => {
      const { id } = await client.createGate();
      const rule = await client.addRule(id, { ...blockDomain('bad.example'), name: 'Old name' });
      const ruleNames = async () => {
        const { json } = await client.call<StatsAnswer>('GET', `/v1/gates/${id}/stats`);
        return json.data.rules.map(({ name, count }) => [name, count]);
      };
      const rename = (name: string) => client.call('PATCH', `/v1/gates/${id}/rules/${rule.id}`, { name });
      await client.decide(id, { domain: 'bad.example' });
      // Asking for the statistics writes what is counted: this name meets a row that is there, the next one meets a count.
      assert.deepEqual(await ruleNames(), [['Old name', 1]]);
      await rename('Middle name');
      await client.decide(id, { domain: 'bad.example' });
      await rename('Last name');
      await client.decide(id, { domain: 'bad.example' });
      await client.call('DELETE', `/v1/gates/${id}/rules/${rule.id}`);
      assert.deepEqual(await ruleNames(), [['Last name', 3]]);
    });

    it('GET stats 200: by hour, every bucket of the span also where nothing was decided', async () => {
      const { actions, buckets } = await stats('?interval=hour&from=2026-11-15T21:00:00Z&to=2026-11-16T01:00:00Z');
      assert.deepEqual(actions, { allow: 2, block: 2, challenge: 1 });
      assert.deepEqual(buckets, [
        { at: '2026-11-15T21:00:00+00:00', allow: 0, block: 0, challenge: 0 },
        { at: '2026-11-15T22:00:00+00:00', allow: 0, block: 1, challenge: 1 },
        { at: '2026-11-15T23:00:00+00:00', allow: 1, block: 1, challenge: 0 },
        { at: '2026-11-16T00:00:00+00:00', allow: 1, block: 0, challenge: 0 },
      ]);
    });

    it('GET stats 200: by day of UTC, which is the default', async () => {
      const query = 'from=2026-11-15&to=2026-11-17';
      const expected = [
        { at: '2026-11-15T00:00:00+00:00', allow: 1, block: 2, challenge: 1 },
        { at: '2026-11-16T00:00:00+00:00', allow: 1, block: 0, challenge: 0 },
      ];
      assert.deepEqual((await stats(`?interval=day&${query}`)).buckets, expected);
      assert.deepEqual((await stats(`?${query}`)).buckets, expected);
      assert.equal((await stats()).buckets.length, 31);
    });

    it('GET stats 200: a span leaves out what is before and after it', async () => {
      const { actions, rules, buckets } = await stats(
        '?interval=hour&from=2026-11-15T23:10:00Z&to=2026-11-16T00:00:00Z',
      );
      assert.deepEqual(actions, { allow: 1, block: 1, challenge: 0 });
      assert.deepEqual(
        rules.map(({ name, count, shadow_count }) => [name, count, shadow_count]),
        [
          ['shadow', 0, 1],
          ['wide', 1, 0],
          ['narrow', 1, 0],
          ['gone', 1, 0],
        ],
      );
      assert.deepEqual(buckets, [{ at: '2026-11-15T23:00:00+00:00', allow: 1, block: 1, challenge: 0 }]);
    });

    it('GET stats 200: a gate that never decided has its rules with nothing', async () => {
      const { id } = await client.createGate({ preset: 'signup' });
      const { json } = await client.call<StatsAnswer>('GET', `/v1/gates/${id}/stats`);
      assert.deepEqual(json.data.actions, { allow: 0, block: 0, challenge: 0 });
      assert.deepEqual(
        json.data.rules.map(({ count, shadow_count }) => count + shadow_count),
        [0, 0, 0, 0, 0, 0, 0, 0],
      );
    });

    it('GET stats 404: the gate does not exist', async () => {
      const { status, json } = await client.call('GET', '/v1/gates/01k00000000000000000000000/stats');
      assert.deepEqual([status, json.error], [404, 'gate_not_found']);
    });

    it('GET stats 422: refuses an interval, time or span that makes no sense', async () => {
      for (const [query, path] of [
        ['interval=minute', 'interval'],
        ['from=x', 'from'],
        ['to=x', 'to'],
        ['from=2026-11-16&to=2026-11-15', 'from'],
        ['interval=hour&from=2026-01-01&to=2026-11-15', 'from'],
        ['from=2020-01-01', 'from'],
      ] as const) {
        const { status, json } = await client.call('GET', `/v1/gates/${gateId}/stats?${query}`);
        assert.deepEqual(
          [status, json.error, Object.keys(json.errors ?? {})],
          [422, 'validation_failed', [path]],
          query,
        );
      }
    });
  });

  describe('POST backtest', () => {
    let gateId: string;
    const decisionIds: string[] = [];
    before(async () => {
      started.clock.set(startMs);
      gateId = (await client.createGate()).id;
      await client.addRule(gateId, blockDomain('bad.example'));
      for (const question of [
        { email: 'a@bad.example' },
        { email: 'b@good.example', ip: '8.8.8.8' },
        { domain: 'gmail.com' },
      ]) {
        started.clock.advance(60_000);
        decisionIds.push((await client.decide(gateId, question)).meta.decision_id);
      }
    });
    const backtest = async (body: object) => {
      const { status, json, text } = await client.call<BacktestAnswer>('POST', `/v1/gates/${gateId}/backtest`, body);
      assert.equal(status, 200, text);
      return json.data;
    };
    const proposal = { name: 'Proposed', action: 'challenge', conditions: when('domain.tld', 'example') };

    it('POST backtest 200: how many would change, from what to what, with examples, newest first', async () => {
      assert.deepEqual(await backtest({ rules: [proposal] }), {
        evaluated: 3,
        complete: true,
        changed: 2,
        changes: [
          { from: 'allow', to: 'challenge', count: 1, good: 0, bad: 0 },
          { from: 'block', to: 'challenge', count: 1, good: 0, bad: 0 },
        ],
        examples: [
          { decision_id: decisionIds[1], email: 'b@good.example', from: 'allow', to: 'challenge', rule: 'Proposed' },
          { decision_id: decisionIds[0], email: 'a@bad.example', from: 'block', to: 'challenge', rule: 'Proposed' },
        ],
      });
    });

    it('POST backtest 200: no rules leave the default action: of the gate, or the proposed one', async () => {
      assert.deepEqual((await backtest({ rules: [] })).changes, [
        { from: 'block', to: 'allow', count: 1, good: 0, bad: 0 },
      ]);
      const proposed = await backtest({ rules: [], default_action: 'challenge' });
      assert.deepEqual(proposed.changes, [
        { from: 'allow', to: 'challenge', count: 2, good: 0, bad: 0 },
        { from: 'block', to: 'challenge', count: 1, good: 0, bad: 0 },
      ]);
      assert.deepEqual(proposed.examples[0], {
        decision_id: decisionIds[2],
        domain: 'gmail.com',
        from: 'allow',
        to: 'challenge',
        rule: null,
      });
    });

    it('POST backtest 200: the signals are those of then, the ip among them', async () => {
      const rules = [{ ...proposal, conditions: when('ip.geo.country_code', 'us') }];
      const { changed, examples } = await backtest({ rules, default_action: 'allow' });
      assert.equal(changed, 2);
      assert.deepEqual(
        examples.map(({ email, to }) => [email, to]),
        [
          ['b@good.example', 'challenge'],
          ['a@bad.example', 'allow'],
        ],
      );
    });

    it('POST backtest 200: a shadow rule changes nothing, a disabled one neither', async () => {
      const rules = [blockDomain('bad.example'), { ...proposal, mode: 'shadow' }, { ...proposal, enabled: false }];
      assert.deepEqual(await backtest({ rules }), {
        evaluated: 3,
        complete: true,
        changed: 0,
        changes: [],
        examples: [],
      });
    });

    it('POST backtest 200: looks only at decisions of the given span of time', async () => {
      const { evaluated } = await backtest({
        rules: [proposal],
        from: '2026-11-15T22:32:00Z',
        to: '2026-11-15T22:33:00Z',
      });
      assert.equal(evaluated, 1);
    });

    it('POST backtest 200: accepts rules exactly as they were read from a gate', async () => {
      const { rules } = await client.readGate(gateId);
      assert.equal((await backtest({ rules })).changed, 0);
    });

    it("POST backtest 200: against the gate's rules, only what the proposed rules decide differently changes [D447]", async () => {
      const { id } = await client.createGate();
      const { meta } = await client.decide(id, { email: 'a@bad.example' });
      await client.addRule(id, blockDomain('bad.example'));
      const { rules } = await client.readGate(id);
      const changesOf = async (body: object) => {
        const { status, json, text } = await client.call<BacktestAnswer>('POST', `/v1/gates/${id}/backtest`, body);
        assert.equal(status, 200, text);
        const { changes, examples } = json.data;
        return { changes, examples };
      };
      const example = { decision_id: meta.decision_id, email: 'a@bad.example' };
      assert.deepEqual(await changesOf({ rules, against: 'rules' }), { changes: [], examples: [] });
      assert.deepEqual(await changesOf({ rules: [], against: 'rules' }), {
        changes: [{ from: 'block', to: 'allow', count: 1, good: 0, bad: 0 }],
        examples: [{ ...example, from: 'block', to: 'allow', rule: null }],
      });
      const fromLog = await changesOf({ rules, against: 'log' });
      assert.deepEqual(fromLog.changes, [{ from: 'allow', to: 'block', count: 1, good: 0, bad: 0 }]);
      assert.deepEqual(await changesOf({ rules }), fromLog);
    });

    it('POST backtest 200: changes neither the gate nor its log nor its counts [D182]', async () => {
      const look = async () => [
        await client.readGate(gateId),
        (await client.call('GET', `/v1/gates/${gateId}/decisions`)).text,
        (await client.call('GET', `/v1/gates/${gateId}/stats`)).text,
      ];
      const before = await look();
      await backtest({ rules: [proposal] });
      assert.deepEqual(await look(), before);
    });

    it('POST backtest 404: the gate does not exist', async () => {
      const { status, json } = await client.call('POST', '/v1/gates/01k00000000000000000000000/backtest', {
        rules: [],
      });
      assert.deepEqual([status, json.error], [404, 'gate_not_found']);
    });

    it('POST backtest 422: names the path of each problem', async () => {
      const rows: readonly (readonly [unknown, string, readonly string[]])[] = [
        [{}, 'validation_failed', ['rules']],
        [{ rules: {} }, 'validation_failed', ['rules']],
        [{ rules: [7] }, 'validation_failed', ['rules.0']],
        [{ rules: [proposal, { ...proposal, stpo: true }] }, 'validation_failed', ['rules.1.stpo']],
        [
          { rules: [{ ...proposal, conditions: when('domain.x', 1) }] },
          'validation_failed',
          ['rules.0.conditions.0.field'],
        ],
        [{ rules: [], default_action: 'deny' }, 'validation_failed', ['default_action']],
        [{ rules: [], from: 7 }, 'validation_failed', ['from']],
        [{ rules: [], since: '2026' }, 'validation_failed', ['since']],
        [[], 'validation_failed', ['body']],
        [{ rules: Array(101).fill(proposal) }, 'rule_limit_reached', []],
      ];
      for (const [body, code, paths] of rows) {
        const { status, json } = await client.call('POST', `/v1/gates/${gateId}/backtest`, body);
        assert.deepEqual([status, json.error, Object.keys(json.errors ?? {})], [422, code, paths]);
      }
    });
  });
});
