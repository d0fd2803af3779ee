import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { temporaryDirectory } from '../../test/engines.ts';
import { type Serving, serveSignalpost } from '../../test/signalpost-process.ts';
import { signInGuard } from '../src/guards/auth-js.ts';
import { Signalpost } from '../src/index.ts';
import { fakeDecision, fakeSignals } from '../src/testing.ts';

/** The names of all properties, at every depth; lists and null are values. */
const namesOf = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, inner]) => namesOf(inner, `${path}.${name}`))
    : [path];

describe('fakes for tests', () => {
  const dataDir = temporaryDirectory();
  let service: Serving;
  before(async () => {
    service = await serveSignalpost({ DATA_DIR: dataDir });
  });
  after(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true });
  });

  test('fakes for tests have the properties of real decisions, and their action is where programs look for it', async () => {
    const client = new Signalpost({ apiKey: service.keys.production, baseUrl: service.url });
    const { id } = await client.gates.create({ name: 'Sign-up' });
    const real = await client.gates.decide(id, { email: 'joe@mailinator.com', ip: '203.0.113.7' });
    assert.equal(real.action, 'block');
    assert.equal(real.action, real.decision.action);
    const fake = fakeDecision('block', { signals: { ip: {} } });
    // Counts are there only while a rule uses them.
    const listed = (decision: object) => namesOf(decision).filter((name) => !/^\.(input|signals\.traffic)/.test(name));
    assert.deepEqual(listed(fake).sort(), listed(real).sort());
    const { data } = await client.gates.decide(id, { email: 'jane@example.org' }).withResponse();
    assert.equal(data.action, 'allow');
  });

  test('fakes for tests take changes at any depth', () => {
    assert.equal(fakeSignals({ domain: { disposable: true } }).domain.disposable, true);
    assert.equal(fakeSignals({ domain: { disposable: true } }).domain.name, 'example.com');
    assert.equal(fakeSignals({ ip: { geo: { country_code: 'DE' } } }).ip?.geo.country_code, 'DE');
    assert.equal(fakeSignals({ email: null }).email, null);
    assert.equal(fakeDecision('allow').decision.matched_rule, null);
    assert.equal(fakeDecision('block', { rule: { message: 'No' } }).decision.matched_rule?.message, 'No');
  });

  test('fakes for tests work in place of a client in a guard', async () => {
    const guarded = (action: 'allow' | 'block') =>
      signInGuard({ client: { gates: { decide: async () => fakeDecision(action) } }, gateId: 'x' });
    assert.equal(await guarded('block')({ user: { email: 'jane@example.com' } }), false);
    assert.equal(await guarded('allow')({ user: { email: 'jane@example.com' } }), true);
  });

  test('an outage is decided with the action where programs look for it', async () => {
    const client = new Signalpost({ apiKey: 'x', baseUrl: 'http://127.0.0.1:1', maxAttempts: 1 });
    const result = await client.gates.decide('x', { email: 'jane@example.com' }, { failOpen: 'challenge' });
    assert.equal(result.action, 'challenge');
  });
});
