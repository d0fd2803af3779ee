import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { gateClient } from '../gate-client.ts';
import { inject } from '../inject.ts';
import { type StartedApp, startApp } from '../start-app.ts';

interface Answer {
  readonly result?: { readonly isError: boolean; readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number };
}

const seed = 20_261_115;
const numRuns = 40;

describe('agent tools with arbitrary input', () => {
  let started: StartedApp;
  let gateId: string;
  before(async () => {
    started = await startApp();
    gateId = (await gateClient(started).createGate()).id;
  });
  after(() => started.close());

  const send = (params: unknown) =>
    inject<Answer>(started.app.server, {
      method: 'POST',
      path: '/mcp',
      key: started.keys.production,
      headers: { 'gates-mode': 'write' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });

  it('agent tools respond to any arguments, and never with an internal error [A3]', async () => {
    const tools = started.app.endpoints.filter(({ tool }) => tool !== undefined && tool.name !== 'remove_gate');
    assert.ok(tools.length > 20);
    const value = fc.oneof(fc.constant(gateId), fc.string(), fc.jsonValue({ maxDepth: 3 }));
    for (const { tool, schemas } of tools) {
      const parts = [schemas.params, schemas.query, schemas.body].map((part) => Object(part?.properties));
      const names = fc.constantFrom(...parts.flatMap((part) => Object.keys(part)), '__proto__', 'constructor');
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(names, value), { maxLength: 6 }), async (entries) => {
          const { status, json } = await send({ name: tool?.name, arguments: Object.fromEntries(entries) });
          assert.equal(status, 200);
          const text = json.result?.content[0]?.text ?? '';
          assert.doesNotMatch(text, /"error":"server_error"/, `${tool?.name} ${JSON.stringify(entries)}`);
          if (json.result?.isError === true) assert.match(text, /^\{"error":"[a-z_]+","message":"/);
        }),
        { seed, numRuns },
      );
    }
  });

  it('agent tools respond to any params with a result or a protocol error [A5]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (params) => {
        const { status, json } = await send(params);
        assert.ok(status === 200 || status === 400, String(status));
        assert.ok(json.result !== undefined || (json.error?.code ?? 0) < 0);
      }),
      { seed, numRuns: 200 },
    );
  });
});
