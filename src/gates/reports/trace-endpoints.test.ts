import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeService } from '../../../test/engines.ts';
import { blockDomain, type GateClient, gateClient } from '../../../test/gate-client.ts';
import { signedIn } from '../../../test/session-api/browser.ts';
import { type StartedApp, startApp } from '../../../test/start-app.ts';

interface WireTrace {
  readonly input: object;
  readonly revision: number | null;
  readonly signals: { readonly domain: Readonly<Record<string, unknown>> };
  readonly action: string;
  readonly matched_rule: { readonly id: string | null; readonly name: string } | null;
  readonly rules: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly outcome: string;
    readonly conditions: readonly { holds: boolean | null; value: unknown; reason: string | null }[];
  }[];
  readonly problems: Readonly<Record<string, readonly string[]>>;
  readonly regex_cost: { readonly total: number; readonly limit: number; readonly patterns: readonly object[] };
}

await describeService('a trace', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  before(async () => {
    started = await startApp({}, { database: await fresh() });
    client = gateClient(started);
  });
  after(() => started.close());

  const send = (gateId: string, body: object) => {
    started.clock.advance(1_000);
    return client.call<{ data: WireTrace }>('POST', `/v1/gates/${gateId}/trace`, body);
  };
  const trace = async (gateId: string, body: object): Promise<WireTrace> => {
    const { status, json, text } = await send(gateId, body);
    assert.equal(status, 200, text);
    return json.data;
  };
  const creditsUsed = async () =>
    (await client.call<{ usage: { current: number } }>('GET', '/status')).json.usage.current;
  const refusal = async (gateId: string, body: object) => {
    const { status, json } = await send(gateId, body);
    const { error, errors = {} } = json as unknown as { error: string; errors?: object };
    return [status, error, Object.keys(errors)];
  };

  describe('200', () => {
    it('a trace reports the time of each stage in Server-Timing', async () => {
      const { id } = await client.createGate();
      const { headers } = await send(id, { domain: 'example.com' });
      assert.match(headers['server-timing'] ?? '', /facts;dur=\S+, decide;dur=\S+, total;dur=[\d.]+$/);
    });

    it('POST trace 200: says what the gate would decide, over its rules of now, and why each rule does what it does', async () => {
      const gate = await client.createGate({ preset: 'signup' });
      const traced = await trace(gate.id, { email: 'joe@mailinator.com' });
      const decided = await client.decide(gate.id, { email: 'joe@mailinator.com' });
      assert.deepEqual([traced.action, traced.matched_rule], [decided.decision.action, decided.decision.matched_rule]);
      assert.deepEqual(traced.signals, decided.signals);
      assert.deepEqual(
        [traced.input, traced.revision, traced.rules.map(({ outcome }) => outcome)],
        [{ email: 'joe@mailinator.com' }, 1, ['not_matched', 'decided', ...new Array<string>(6).fill('not_reached')]],
      );
      const [, disposable, mail, , tor] = traced.rules;
      assert.deepEqual(disposable?.conditions[0], {
        field: 'domain.disposable',
        operator: 'equals',
        holds: true,
        value: true,
        reason: null,
      });
      assert.deepEqual([mail?.conditions[0]?.holds, mail?.conditions[0]?.reason], [null, 'offline']);
      assert.equal(tor?.conditions[0]?.reason, 'not_sent');
    });

    it('POST trace 200: of rules that are sent in place of its own, some of them unfinished', async () => {
      const gate = await client.createGate();
      const unfinished = { name: 'Half', action: 'block', conditions: [{ field: 'domain.mx', operator: 'equals' }] };
      const pattern = { field: 'domain.name', operator: 'matches', value: '^exa' };
      const rules = [unfinished, { ...blockDomain('example.com'), conditions: [pattern] }, 17];
      const traced = await trace(gate.id, { domain: 'example.com', rules, default_action: 'challenge' });
      assert.deepEqual(
        [traced.action, traced.revision, traced.matched_rule?.id, traced.rules.map(({ outcome }) => outcome)],
        ['block', null, null, ['invalid', 'decided', 'invalid']],
      );
      assert.deepEqual(Object.keys(traced.problems), ['rules.0.conditions.0.value', 'rules.2']);
      const { total, limit, patterns } = traced.regex_cost;
      assert.deepEqual(patterns, [{ rule: 1, condition: 0, size: 4, limit: 1000 }]);
      assert.ok(total > 0 && total < limit);
      assert.equal((await trace(gate.id, { domain: 'example.com', rules: [unfinished] })).action, 'allow');
    });

    it('POST trace 200: of a logged decision: over the rules of then, though they have changed since', async () => {
      const { id } = await client.createGate();
      const rule = await client.addRule(id);
      const { meta } = await client.decide(id, { email: 'jane@example.com', ip: '203.0.113.7' });
      await client.call('PUT', `/v1/gates/${id}/rules`, { rules: [], default_action: 'challenge' });
      const then = await trace(id, { decision_id: meta.decision_id });
      assert.deepEqual(
        [then.action, then.revision, then.matched_rule?.id, then.input],
        ['block', 2, rule.id, { email: 'jane@example.com', ip: '203.0.113.7' }],
      );
      const rules = [{ name: 'VPN', action: 'block', conditions: [{ field: 'domain.mx', operator: 'is_known' }] }];
      const other = await trace(id, { decision_id: meta.decision_id, rules });
      assert.deepEqual([other.action, other.rules[0]?.conditions[0]?.reason], ['challenge', 'not_recorded']);
    });

    it('POST trace 200: of a decision of before revisions: over the rules of today, and it says so', async () => {
      const { id } = await client.createGate();
      const { meta } = await client.decide(id, { domain: 'example.com' });
      await client.call('GET', `/v1/gates/${id}/decisions`);
      const query = started.db.read.selectFrom('decisions').select('entry').where('id', '=', meta.decision_id);
      const { entry } = await query.executeTakeFirstOrThrow();
      const old = JSON.stringify(JSON.parse(entry).slice(0, 8));
      await started.db.write.updateTable('decisions').set({ entry: old }).where('id', '=', meta.decision_id).execute();
      await client.addRule(id);
      const traced = await trace(id, { decision_id: meta.decision_id });
      assert.deepEqual([traced.revision, traced.action], [null, 'block']);
    });

    it('POST trace 200: costs as much as the decision, nothing for a logged one, and is neither logged nor counted [D716]', async () => {
      const { id } = await client.createGate();
      const before = await creditsUsed();
      await trace(id, { email: 'jane@example.com' });
      assert.equal(await creditsUsed(), before + 1);
      await trace(id, { email: 'jane@example.com', ip: '203.0.113.7', rules: [] });
      assert.equal(await creditsUsed(), before + 4);
      const log = await client.call<{ data: unknown[] }>('GET', `/v1/gates/${id}/decisions`);
      assert.deepEqual(log.json.data, []);
      const stats = await client.call<{ data: { actions: object } }>('GET', `/v1/gates/${id}/stats`);
      assert.deepEqual(stats.json.data.actions, { allow: 0, block: 0, challenge: 0 });
      const { meta } = await client.decide(id, { domain: 'example.com' });
      await trace(id, { decision_id: meta.decision_id });
      assert.equal(await creditsUsed(), before + 5);
    });

    it('POST trace 200: is free for a user of the console [D716]', async () => {
      const { id } = await client.createGate();
      const browser = await signedIn(started);
      const before = await creditsUsed();
      const body = { email: 'jane@example.com', ip: '203.0.113.7' };
      assert.equal((await browser.call('POST', `/production/v1/gates/${id}/trace`, { body })).status, 200);
      assert.equal(await creditsUsed(), before);
    });
  });

  describe('404', () => {
    it('a decision of another gate, one that never was, and what is no id', async () => {
      const { id } = await client.createGate();
      const other = await client.createGate();
      const { meta } = await client.decide(other.id, { domain: 'example.com' });
      for (const decision_id of [meta.decision_id, '01K00000000000000000000000', 'x'])
        assert.deepEqual(await refusal(id, { decision_id }), [404, 'decision_not_found', []]);
    });
  });

  describe('422', () => {
    const cases: readonly (readonly [string, object, string, readonly string[]])[] = [
      ['nothing to trace', {}, 'missing_input', []],
      ['two subjects', { email: 'a@b.cc', domain: 'b.cc' }, 'both_email_and_domain_provided', []],
      ['no address', { email: 'no-address' }, 'invalid_email', []],
      ['no domain', { domain: 'no domain' }, 'invalid_domain', []],
      ['no IP address', { domain: 'b.cc', ip: 'x' }, 'invalid_ip', []],
      ['a decision and an address', { decision_id: 'x', email: 'a@b.cc' }, 'validation_failed', ['decision_id']],
      ['rules that are no list', { domain: 'b.cc', rules: {} }, 'validation_failed', ['rules']],
      ['too many rules', { domain: 'b.cc', rules: Array(101).fill({}) }, 'rule_limit_reached', []],
      ['a field that is not known', { domain: 'b.cc', rule: [] }, 'validation_failed', ['rule']],
    ];
    for (const [what, body, code, fields] of cases) {
      it(`POST trace 422: ${what}`, async () => {
        const { id } = await client.createGate();
        assert.deepEqual(await refusal(id, body), [422, code, fields]);
      });
    }
  });

  describe('429', () => {
    it('POST trace 429: an account gets 60 free traces a minute in the console [D716]', async () => {
      const account = await started.createAccount();
      const { id } = await gateClient(started, account.keys.production).createGate();
      const browser = await signedIn(started, { accountId: account.id });
      const ask = () =>
        browser.call('POST', `/production/v1/gates/${id}/trace`, { body: { domain: 'example.com', rules: [] } });
      for (let count = 0; count < 60; count += 1) {
        started.clock.advance(100);
        assert.equal((await ask()).status, 200);
      }
      const { status, json, headers } = await ask();
      assert.deepEqual([status, json.error, headers['retry-after']], [429, 'rate_limit_exceeded', '55']);
      started.clock.advance(54_200);
      assert.deepEqual([(await ask()).status, (await ask()).status], [200, 200]);
    });

    it('POST trace 429: ten a second and account, and again in the next one, charging only the traces', async () => {
      const { id } = await client.createGate();
      const before = await creditsUsed();
      const ask = () => client.call('POST', `/v1/gates/${id}/trace`, { domain: 'example.com' });
      started.clock.advance(2_000);
      const statuses: number[] = [];
      for (let count = 0; count < 12; count += 1) statuses.push((await ask()).status);
      assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429]);
      const refused = await ask();
      assert.deepEqual([refused.json.error, refused.headers['retry-after']], ['rate_limit_exceeded', '1']);
      assert.equal(await creditsUsed(), before + 10);
      started.clock.advance(1_000);
      assert.equal((await ask()).status, 200);
    });
  });
});
