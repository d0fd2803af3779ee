import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '../engines.ts';
import { eventually } from '../eventually.ts';
import { type FaultyProxy, startFaultyProxy } from '../faulty-proxy.ts';
import { gateClient } from '../gate-client.ts';
import { hookCaller, lets, messageIn, type WireHook } from '../hook-caller.ts';
import { untilChangesAreApplied } from '../served-from-memory.ts';
import { missingService, postgresServer, postgresUrl } from '../services.ts';
import { realClock, type StartedApp, startApp } from '../start-app.ts';

/** Far longer than a hook may take, and as long as these tests would last without its deadline. */
const slowMs = 60_000;

describe('hooks while DNS does not answer', () => {
  const silent = createSocket('udp4');
  let started: StartedApp;
  before(async () => {
    silent.bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const variables = {
      OFFLINE: 'false',
      DNS_SERVERS: `127.0.0.1:${silent.address().port}`,
      DNS_DEADLINE_MS: String(slowMs),
      WAIT_MAX_MS: String(slowMs),
    };
    started = await startApp(variables, { clock: realClock() });
  });
  after(async () => {
    await started.close();
    silent.close();
  });

  it('decide with what is known after 1,300 ms, whatever the gate waits for; the rest is null [H32]', async () => {
    const gates = gateClient(started);
    const hooks = hookCaller(started, started.keys.production);
    const { id } = await gates.createGate({ preset: 'none', wait: ['domain_age_in_days'] });
    const hook = await hooks.create({ name: 'Sign-up', gate_id: id, format: 'generic', unavailable: 'block' });
    const answer = await hooks.call(hook, { email: 'jane@never-seen.example' });
    assert.deepEqual([answer.status, (answer.json as { action: string }).action], [200, 'allow']);
    const log = await gates.call<{ data: { signals: { domain: object }; meta: { duration_ms: number } }[] }>(
      'GET',
      `/v1/gates/${id}/decisions`,
    );
    const { signals, meta } = log.json.data[0] ?? assert.fail('the decision was not logged');
    assert.equal(Reflect.get(signals.domain, 'mx'), null);
    assert.ok(meta.duration_ms < slowMs / 2);
  });
});

const skip = await missingService(postgresServer);

describe('hooks while the storage', { skip }, () => {
  let line: FaultyProxy;
  let started: StartedApp;
  let hook: WireHook & { readonly secret: string };
  before(async () => {
    line = await startFaultyProxy(await postgresUrl());
    started = await startApp({}, { database: { url: line.url, dataDir: temporaryDirectory() }, clock: realClock() });
    const { id } = await gateClient(started).createGate();
    hook = await hookCaller(started, started.keys.production).create({
      ...{ name: 'Sign-up', gate_id: id, format: 'supabase', unavailable: 'block' },
    });
    await untilChangesAreApplied(line);
  });
  after(async () => {
    await line.set('through');
    await eventually(async () => assert.equal((await started.request('GET', '/readyz')).status, 200));
    await started.close();
    line.close();
  });

  for (const mode of ['silent', 'refused'] as const) {
    it(`is ${mode} are answered in the server's format, as unavailable says [H33]`, async () => {
      await line.set(mode);
      const answer = await hookCaller(started, '').call(hook, { email: 'jane@example.com' });
      assert.equal(answer.status, 200);
      assert.equal(lets('supabase', answer), false);
      assert.equal(messageIn('supabase', answer), 'Sign-up is not possible right now. Please try again later.');
      const wrong = `v1,whsec_${Buffer.alloc(32).toString('base64')}`;
      const refused = await hookCaller(started, '').call({ ...hook, secret: wrong }, { email: 'jane@example.com' });
      assert.equal(refused.status, 401);
      await line.set('through');
    });
  }
});
