// Runs in its own process: it changes the registry of signals before the service is loaded.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { known } from '../src/reading.ts';
import { signals } from '../src/signals/registry.ts';
import type { Signal } from '../src/signals/signal.ts';

const nameLength: Signal<number> = {
  subject: 'domain',
  schema: { type: 'integer', minimum: 1, maximum: 253 },
  about: 'How many characters the name has.',
  label: 'Length of the name',
  group: 'Domain · name',
  unit: 'characters',
  from: 'the name',
  lookup: { name: 'name_length', column: 'fact' },
  gates: { name: 'length' },
  read: ({ domain }) => known(domain.ascii.length),
};

// The only registration; everything that reads the registry is imported afterwards.
Object.assign(signals, { nameLength });
const { checkText } = await import('../src/cli/check-text.ts');
const { signalsTable } = await import('../src/signals/signals-table.ts');
const { gateClient } = await import('./gate-client.ts');
const { startApp } = await import('./start-app.ts');

const app = await startApp();
after(() => app.close());
const length = 'example.com'.length;

describe('a signal that is only in the registry', () => {
  for (const path of ['/domain/example.com', '/email/jane@example.com']) {
    it(`a signal that is only in the registry is in the body of ${path}, with its reasons`, async () => {
      const { json } = await app.request<{ name_length: number; explain: Record<string, unknown> }>(
        'GET',
        `${path}?explain=true`,
        { key: app.keys.production },
      );
      assert.equal(json.name_length, length);
      assert.deepEqual(json.explain.name_length, { known: true, evidence: [] });
    });
  }

  it('a signal that is only in the registry is in the schemas of lookups, of decisions and of their log', () => {
    const text = JSON.stringify(app.app.openapi);
    const inLookups = '"name_length":{"type":["integer","null"],"minimum":1,"maximum":253}';
    assert.equal(text.split(inLookups).length - 1, 2);
    assert.ok(text.split('"length":{"type":["integer","null"]}').length - 1 >= 3);
  });

  it('a signal that is only in the registry is in the field catalogue, works in conditions, and is in the response and in the log', async () => {
    const client = gateClient(app);
    type Entry = { readonly path: string; readonly type: string; readonly description: string };
    const { json } = await client.call<{ data: readonly Entry[] }>('GET', '/v1/fields');
    const entry = json.data.find(({ path }) => path === 'domain.length');
    assert.deepEqual([entry?.type, entry?.description], ['integer', nameLength.about]);

    const gate = await client.createGate();
    const condition = { field: 'domain.length', operator: 'equals', value: length };
    await client.addRule(gate.id, { name: 'By length', action: 'block', conditions: [condition] });
    const answer = await client.decide(gate.id, { domain: 'example.com' });
    assert.equal(answer.decision.action, 'block');
    assert.equal(answer.signals.domain.length, length);
    const logged = await client.call<{ data: typeof answer }>(
      'GET',
      `/v1/gates/${gate.id}/decisions/${answer.meta.decision_id}`,
    );
    assert.equal(logged.json.data.signals.domain.length, length);
  });

  it('a signal that is only in the registry is a column of check', () => {
    const lines = checkText(Array.from({ length: 9 }, () => ({ value: 'example.com', body: { name_length: length } })));
    assert.match(lines, /^value.* name_length.*\n/);
    assert.match(lines, /\b11\b/);
  });

  it('a signal that is only in the registry is a row of the reference', () => {
    assert.match(signalsTable(), /\| \[`name_length`\]\(#name_length\) \| `domain\.length` \| How many characters/);
  });
});
