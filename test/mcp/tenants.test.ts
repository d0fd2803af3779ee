import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeService } from '../engines.ts';
import { blockDomain, gateClient } from '../gate-client.ts';
import { inject } from '../inject.ts';
import { type StartedApp, startApp, type TestAccount } from '../start-app.ts';

interface Result {
  readonly result: { readonly isError: boolean; readonly content: readonly { readonly text: string }[] };
}

const missing = '01k00000000000000000000000';

await describeService('agent tools called by another tenant', (fresh) => {
  let started: StartedApp;
  let other: TestAccount;
  let values: Readonly<Record<string, unknown>>;
  before(async () => {
    started = await startApp({}, { database: await fresh() });
    other = await started.createAccount();
    const client = gateClient(started);
    const { id } = await client.createGate();
    const rule = await client.addRule(id);
    const decision = await client.decide(id, { email: 'jane@example.com' });
    await started.request('POST', '/blocklist', { key: started.keys.production, body: { domain: 'example.net' } });
    values = {
      gate_id: id,
      rule_id: rule.id,
      decision_id: decision.meta.decision_id,
      outcome: 'bad',
      revision: 'current',
      rule_ids: [rule.id],
      rules: [blockDomain('example.org')],
      ...blockDomain('example.org'),
    };
  });
  after(() => started.close());

  const call = async (key: string, name: string, args: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const headers = { 'gates-mode': 'write' };
    const { json } = await inject<Result>(started.app.server, { method: 'POST', path: '/mcp', key, headers, body });
    return { isError: json.result.isError, text: json.result.content[0]?.text ?? '' };
  };

  it("agent tools answer for another tenant's gate as for a missing one [A7]", async () => {
    const strangers = [other.keys.production, started.keys.staging];
    const inGates = started.app.endpoints.filter(({ tool, path }) => tool !== undefined && path.includes('{gate_id}'));
    assert.ok(inGates.length > 10);
    for (const { tool, schemas } of inGates) {
      const required = [schemas.params, schemas.query, schemas.body].flatMap(
        (part) => (part?.required ?? []) as string[],
      );
      const args = Object.fromEntries(required.map((name) => [name, values[name]]));
      const subject = tool?.name === 'trace_gate' ? { decision_id: values.decision_id } : {};
      for (const key of strangers) {
        const foreign = await call(key, tool?.name ?? '', { ...args, ...subject });
        const absent = await call(key, tool?.name ?? '', { ...args, ...subject, gate_id: missing });
        assert.ok(foreign.isError, tool?.name);
        assert.match(foreign.text, /"gate_not_found"/, tool?.name);
        assert.equal(foreign.text, absent.text);
      }
    }
  });

  it('agent tools return empty lists to another tenant, and do not find entries of others [A7]', async () => {
    for (const key of [other.keys.production, started.keys.development]) {
      assert.deepEqual(JSON.parse((await call(key, 'list_gates', {})).text).data, []);
      assert.deepEqual(JSON.parse((await call(key, 'list_blocklist', {})).text).data, []);
      assert.deepEqual(JSON.parse((await call(key, 'search_decisions', {})).text).data, []);
      assert.match((await call(key, 'read_blocklist_entry', { domain: 'example.net' })).text, /"domain_not_listed"/);
      assert.match((await call(key, 'remove_from_blocklist', { domain: 'example.net' })).text, /"domain_not_listed"/);
    }
  });

  it('agent tools called by other tenants do not change the gate and the blocklist', async () => {
    const { data } = JSON.parse((await call(started.keys.production, 'read_gate', { gate_id: values.gate_id })).text);
    assert.deepEqual(
      data.rules.map(({ id }: { id: string }) => id),
      [values.rule_id],
    );
    const { text } = await call(started.keys.production, 'read_blocklist_entry', { domain: 'example.net' });
    assert.equal(JSON.parse(text).data.domain, 'example.net');
  });
});

it('MCP=off answers /mcp with 404 [A9]', async () => {
  const off = await startApp({ MCP: 'off' });
  const { status } = await inject(off.app.server, { method: 'POST', path: '/mcp', key: off.keys.production, body: {} });
  assert.equal(status, 404);
  await off.close();
});
