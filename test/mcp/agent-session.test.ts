import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '../engines.ts';
import type { WireDecision, WireError, WireGate, WireRule } from '../gate-client.ts';
import { type Serving, serveSignalpost } from '../signalpost-process.ts';
import { type AgentOptions, connectAgent, manners } from './agent.ts';

interface Data<T> {
  readonly data: T;
}

interface Exceptions {
  readonly action: string;
  readonly changes: readonly { readonly request: { readonly path: string; readonly body: object } }[];
}

interface Trace {
  readonly action: string;
  readonly matched_rule: { readonly name: string } | null;
  readonly rules: readonly {
    readonly id: string;
    readonly outcome: string;
    readonly conditions: readonly { readonly field: string; readonly holds: boolean | null; readonly value: unknown }[];
  }[];
}

interface DecisionLine {
  readonly id: string;
  readonly gate: { readonly id: string; readonly name: string };
  readonly matched_rule: { readonly id: string; readonly name: string } | null;
}

interface Backtest {
  readonly evaluated: number;
  readonly changes: readonly { readonly from: string; readonly to: string; readonly count: number }[];
}

const address = 'jane@mailinator.com';

for (const manner of Object.keys(manners) as (keyof typeof manners)[]) {
  describe(`an agent that speaks MCP, ${manner}`, () => {
    let serving: Serving;
    let gate: WireGate;
    let options: AgentOptions;
    before(async () => {
      serving = await serveSignalpost({ DATA_DIR: temporaryDirectory() });
      options = { url: serving.url, key: serving.keys.production ?? '', manner };
      gate = (await serving.call<Data<WireGate>>('POST', '/v1/gates', { name: 'Signup' })).data;
      await serving.call('POST', `/v1/gates/${gate.id}/decisions`, { email: address });
    });
    after(() => serving.stop());

    it(`an agent (${manner}) with read access finds why an address was blocked, and what another rule would have done [A8]`, async () => {
      const agent = await connectAgent(options);
      const [found] = (await agent.ask<Data<WireGate[]>>('list_gates')).data;
      const log = await agent.ask<Data<WireDecision[]>>('list_decisions', { gate_id: found?.id, email: address });
      const decision_id = log.data[0]?.id;
      const { data: trace } = await agent.ask<Data<Trace>>('trace_gate', { gate_id: gate.id, decision_id });
      assert.equal(trace.action, 'block');
      assert.equal(trace.matched_rule?.name, 'Disposable email');
      const signals = await agent.ask<{ explain: { disposable: { evidence: object[] } } }>('lookup_email', {
        email: address,
      });
      assert.ok(signals.explain.disposable.evidence.length > 0);

      const { data: read } = await agent.ask<Data<WireGate>>('read_gate', { gate_id: gate.id });
      const rules = read.rules.map((rule) => (isDisposable(rule) ? { ...rule, action: 'challenge' } : rule));
      const { data: outcome } = await agent.ask<Data<Backtest>>('backtest_rules', { gate_id: gate.id, rules });
      assert.deepEqual(outcome.changes, [{ from: 'block', to: 'challenge', count: 1, good: 0, bad: 0 }]);
      await agent.close();
    });

    it(`an agent (${manner}) says in four calls and 9 KB why an address was blocked and which rule change allows it [A8]`, async () => {
      const agent = await connectAgent(options);
      const results: unknown[] = [];
      const ask = async <T>(name: string, args: object): Promise<T> => {
        const result = await agent.ask<Data<T>>(name, args);
        results.push(result);
        return result.data;
      };
      const from = new Date(Date.now() - 86_400_000).toISOString();
      const [found] = await ask<DecisionLine[]>('search_decisions', { q: address, action: 'block', from });
      assert.deepEqual([found?.gate.name, found?.matched_rule?.name], ['Signup', 'Disposable email']);
      const about = { gate_id: found?.gate.id, decision_id: found?.id };
      const { rules } = await ask<Trace>('trace_gate', about);
      const decisive = rules.find(({ outcome }) => outcome === 'decided');
      assert.equal(decisive?.id, found?.matched_rule?.id);
      assert.ok(
        decisive?.conditions.some(({ field, holds, value }) => field === 'domain.disposable' && holds && value),
      );
      const { rules: own } = await ask<WireGate>('read_gate', { gate_id: found?.gate.id });
      const proposed = own.map((rule) => (rule.id === decisive?.id ? { ...rule, enabled: false } : rule));
      assert.equal((await ask<Trace>('trace_gate', { ...about, rules: proposed })).action, 'allow');
      const bytes = results.map((result) => Buffer.byteLength(JSON.stringify(result)));
      assert.ok(bytes.length <= 4 && bytes.reduce((sum, one) => sum + one) <= 9_216, `${bytes}`);
      await agent.close();
    });

    it(`an agent (${manner}) gets short lists of decisions and fields, and everything on request`, async () => {
      const agent = await connectAgent(options);
      const lengthOf = async (name: string, args: object) => JSON.stringify(await agent.ask(name, args)).length;
      const log = { gate_id: gate.id, email: address, limit: 1 };
      assert.ok((await lengthOf('list_decisions', log)) < 500);
      assert.ok((await lengthOf('list_decisions', { ...log, full: true })) > 1_000);
      assert.ok((await lengthOf('list_fields', {})) < 4_096);
      assert.ok((await lengthOf('list_fields', { full: true })) > 10_000);
      const { tools } = await agent.client.listTools();
      assert.ok(tools.filter(({ outputSchema }) => outputSchema !== undefined).length > 3);
      await agent.close();
    });

    it(`an agent (${manner}) without the header is offered no write tool, and an attempt names the header [A2]`, async () => {
      const agent = await connectAgent(options);
      assert.ok(!(await agent.tools()).includes('change_rule'));
      const refused = await agent.call<WireError>('change_rule', changed(gate));
      assert.ok(refused.isError);
      assert.equal(refused.json.error, 'write_mode_required');
      assert.match(refused.json.message, /"Gates-Mode: write"/);
      const { data } = await agent.ask<Data<WireGate>>('read_gate', { gate_id: gate.id });
      assert.equal(data.rules.find(isDisposable)?.action, 'block');
      await agent.close();
    });

    it(`an agent (${manner}) with the header changes a rule, and the gate applies it immediately [A8]`, async () => {
      const agent = await connectAgent({ ...options, headers: { 'gates-mode': 'write' } });
      const { tools } = await agent.client.listTools();
      const hints = new Map(tools.map(({ name, annotations }) => [name, annotations?.destructiveHint]));
      assert.deepEqual(
        [hints.get('change_rule'), hints.get('restore_revision'), hints.get('add_rule')],
        [true, true, true],
      );
      await agent.ask('change_rule', changed(gate));
      const { decision } = await serving.call<WireDecision>('POST', `/v1/gates/${gate.id}/decisions`, {
        email: address,
      });
      assert.equal(decision.action, 'challenge');
      const { data } = await agent.ask<Data<{ changed_by: { kind: string } }[]>>('list_revisions', {
        gate_id: gate.id,
        limit: 1,
      });
      assert.equal(data[0]?.changed_by.kind, 'key');
      await agent.close();
    });

    it(`an agent (${manner}) finds the smallest change that lets a person in, and applies it`, async () => {
      const agent = await connectAgent({ ...options, headers: { 'gates-mode': 'write' } });
      const person = 'ann@yopmail.com';
      const decide = (gateId: string) =>
        serving.call<WireDecision>('POST', `/v1/gates/${gateId}/decisions`, { email: person });
      const { data: own } = await agent.ask<Data<WireGate>>('create_gate', { name: 'Own' });
      const { meta } = await decide(own.id);
      const about = { gate_id: own.id, decision_id: meta.decision_id };
      const { data } = await agent.ask<Data<Exceptions>>('find_exceptions', about);
      assert.equal(data.action, 'block');
      const [smallest] = data.changes;
      assert.match(smallest?.request.path ?? '', /\/rules$/);
      await agent.ask('add_rule', { gate_id: own.id, ...smallest?.request.body });
      assert.equal((await decide(own.id)).decision.action, 'allow');
      await agent.close();
    });

    it(`an agent (${manner}) pays for lookups and new traces, and for nothing else [A4]`, async () => {
      const agent = await connectAgent(options);
      const used = async () => (await agent.ask<{ usage: { current: number } }>('read_status')).usage.current;
      const before = await used();
      await agent.ask('list_gates');
      await agent.ask('backtest_rules', { gate_id: gate.id, rules: [] });
      assert.equal(await used(), before);
      await agent.ask('trace_gate', { gate_id: gate.id, email: address });
      assert.equal(await used(), before + 1);
      assert.ok((await agent.call('lookup_domain', { domain: 'not a domain' })).isError);
      await agent.ask('lookup_domain', { domain: 'example.com' });
      assert.equal(await used(), before + 2);
      await agent.close();
    });
  });
}

const isDisposable = ({ name }: WireRule): boolean => name === 'Disposable email';

function changed({ id, rules }: WireGate): object {
  return { gate_id: id, rule_id: rules.find(isDisposable)?.id, action: 'challenge' };
}
