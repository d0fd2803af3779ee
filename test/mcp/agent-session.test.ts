import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '../engines.ts';
import type { WireDecision, WireError, WireGate, WireRule } from '../gate-client.ts';
import { type Serving, serveSignalpost } from '../signalpost-process.ts';
import { type AgentOptions, connectAgent, manners } from './agent.ts';

interface Data<T> {
  readonly data: T;
}

interface Trace {
  readonly action: string;
  readonly matched_rule: { readonly name: string } | null;
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
      assert.deepEqual(outcome.changes, [{ from: 'block', to: 'challenge', count: 1 }]);
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
      assert.ok((await agent.tools()).includes('change_rule'));
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
