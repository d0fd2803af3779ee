import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type GateClient, gateClient, type WireGate } from '../../../test/gate-client.ts';
import { type StartedApp, startApp } from '../../../test/start-app.ts';
import { sealDecisions } from '../segments/sealing.ts';
import { createSegmentsStore } from '../segments/segments-store.ts';

interface Line {
  readonly id: string;
  readonly device: string | null;
}

describe('the device of a decision', () => {
  const device = 'fingerprint-4711';
  let started: StartedApp;
  let client: GateClient;
  let gate: WireGate;
  before(async () => {
    started = await startApp();
    client = gateClient(started);
    gate = await client.createGate({ preset: 'none' });
  });
  after(() => started.close());

  const lines = async (query: string, caller = client): Promise<readonly Line[]> => {
    const { status, json, text } = await caller.call<{ data: Line[] }>('GET', `/v1/decisions${query}`);
    assert.equal(status, 200, text);
    return json.data;
  };

  it('shows its first 12 hexadecimal digits in the log, finds decisions by the identifier, and is not in the response [D520]', async () => {
    const one = await client.decide(gate.id, { email: 'a@one.example', device });
    const two = await client.decide(gate.id, { domain: 'two.example', device });
    await client.decide(gate.id, { email: 'b@one.example', device: 'fingerprint-4712' });
    await client.decide(gate.id, { email: 'c@one.example' });
    assert.equal(JSON.stringify([one, two]).includes('device'), false);
    const wanted = [two.meta.decision_id, one.meta.decision_id];
    const check = async (state: string): Promise<void> => {
      const found = await lines(`?device=${device}`);
      assert.deepEqual(
        found.map(({ id }) => id),
        wanted,
        state,
      );
      const [first] = new Set(found.map((line) => line.device));
      assert.match(first ?? '', /^[0-9a-f]{12}$/, state);
      const all = await lines('');
      assert.equal(new Set(all.map((line) => line.device)).size, 3, state);
      assert.equal(all[0]?.device, null, state);
    };
    await check('as rows');
    await sealDecisions(createSegmentsStore(started.db), new AbortController().signal, { rows: 2, segments: 2 });
    await check('in segments');
    assert.deepEqual(await lines('?device=unseen'), []);
  });

  it('has another hash in another environment, and its identifier is stored nowhere [D520]', async () => {
    const staging = gateClient(started, started.keys.staging);
    const other = await staging.createGate({ preset: 'none' });
    await staging.decide(other.id, { email: 'a@one.example', device });
    const [here] = await lines(`?device=${device}`);
    const [there, ...more] = await lines(`?device=${device}`, staging);
    assert.notEqual(there?.device, here?.device);
    assert.deepEqual(more, []);
    for (const name of readdirSync(started.config.dataDir).filter((file) => file.startsWith('signalpost.db')))
      assert.equal(readFileSync(join(started.config.dataDir, name)).includes(device), false, name);
  });

  describe('422', () => {
    it('is a text of 1 to 200 characters, or null [D521]', async () => {
      for (const wrong of ['', 'x'.repeat(201), 7, ['x'], {}]) {
        const { status, json } = await client.call<{ error: string; errors: object }>(
          'POST',
          `/v1/gates/${gate.id}/decisions`,
          { email: 'a@one.example', device: wrong },
        );
        assert.deepEqual([status, json.error, Object.keys(json.errors)], [422, 'validation_failed', ['device']]);
      }
      for (const right of ['x', '😀'.repeat(200), null])
        await client.decide(gate.id, { email: 'a@one.example', device: right });
      for (const query of ['?device=', `?device=${'x'.repeat(201)}`])
        assert.equal((await client.call('GET', `/v1/decisions${query}`)).status, 422, query);
    });
  });
});
