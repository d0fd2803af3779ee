import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeEngines, temporaryDirectory } from './engines.ts';
import { eventually } from './eventually.ts';
import { startFaultyProxy } from './faulty-proxy.ts';
import { blockDomain, gateClient } from './gate-client.ts';
import { untilChangesAreApplied, untilServedFromMemory } from './served-from-memory.ts';
import { missingService, postgresServer, postgresUrl } from './services.ts';
import { realClock, type StartedApp, startApp } from './start-app.ts';

const dayMs = 86_400_000;
const jumps = { '40 days ahead': 40 * dayMs, 'two days back': -2 * dayMs };

await describeEngines('a service whose wall clock jumps', (fresh) => {
  for (const [name, jumpMs] of Object.entries(jumps)) {
    describe(name, () => {
      let started: StartedApp;
      let gate: string;
      before(async () => {
        started = await startApp({ IP_BLOCK_AFTER: '3' }, { clock: realClock(), database: await fresh() });
        const client = gateClient(started);
        gate = (await client.createGate()).id;
        await client.addRule(gate, blockDomain('spam.example'));
        await client.call('POST', '/blocklist', { domain: 'spam.example' });
        await lookup('spam.example');
        await decide();
        started.clock.set(Date.now() + jumpMs);
      });
      after(() => started.close());
      const lookup = (domain: string, key = started.keys.production) =>
        started.request<{ blocklisted: boolean }>('GET', `/domain/${domain}`, { key });
      const decide = () => gateClient(started).call('POST', `/v1/gates/${gate}/decisions`, { domain: 'spam.example' });

      it(`a service whose wall clock jumps (${name}) still serves lookups, decisions, status and writes [Q49]`, async () => {
        for (let count = 0; count < 20; count += 1) {
          const { status, json } = await lookup('spam.example');
          assert.deepEqual([status, json.blocklisted], [200, true]);
        }
        assert.equal((await decide()).status, 200);
        assert.equal((await started.request('GET', '/status', { key: started.keys.production })).status, 200);
        const added = await started.request('POST', '/blocklist', {
          key: started.keys.production,
          body: { domain: 'later.example' },
        });
        assert.equal(added.status, 201);
        assert.equal((await lookup('later.example')).json.blocklisted, true);
      });

      it(`a service whose wall clock jumps (${name}) applies changes of other processes, whatever their clock says`, async () => {
        const made = await started.operator.keys.create({
          accountId: started.first.id,
          environment: 'production',
          name: null,
        });
        assert.equal((await lookup('example.com', made.key)).status, 200);
        started.clock.set(Date.now());
        await started.operator.keys.revoke(made.record.id);
        started.clock.set(Date.now() + jumpMs);
        await eventually(async () => assert.equal((await lookup('example.com', made.key)).status, 401));
      });

      it(`a service whose wall clock jumps (${name}) refills an account's throughput by elapsed time, not by the clock`, async () => {
        const { keys } = await started.createAccount({ plan: 'free' });
        assert.equal((await lookup('example.com', keys.production)).status, 200);
        started.clock.set(Date.now());
        assert.equal((await lookup('example.com', keys.production)).status, 429);
        await eventually(async () => {
          assert.equal((await lookup('example.com', keys.production)).status, 200);
        });
      });

      it(`a service whose wall clock jumps (${name}) neither shortens nor extends the block of an IP address`, async () => {
        const ask = () => started.request('GET', '/status', { remoteAddress: '203.0.113.9' });
        for (let count = 0; count < 3; count += 1) assert.equal((await ask()).status, 401);
        for (const shiftMs of [0, jumpMs, 0]) {
          started.clock.set(Date.now() + shiftMs);
          const { status, headers } = await ask();
          assert.equal(status, 429);
          const seconds = Number(headers['retry-after']);
          assert.ok(seconds > 0 && seconds <= 300, String(seconds));
        }
      });
    });
  }
});

const skip = await missingService(postgresServer);

describe('a wall clock that jumps while storage is unavailable', { skip }, () => {
  it('a wall clock that jumps while storage is unavailable does not expire caches: lookups continue [Q52]', async () => {
    const line = await startFaultyProxy(await postgresUrl());
    const database = { url: line.url, dataDir: temporaryDirectory() };
    const started = await startApp({}, { clock: realClock(), database });
    const key = started.keys.production;
    const lookup = (domain: string) => started.request<{ blocklisted: boolean }>('GET', `/domain/${domain}`, { key });
    await started.request('POST', '/blocklist', { key, body: { domain: 'spam.example' } });
    await untilChangesAreApplied(line);
    await untilServedFromMemory(line, 'blocklist', () => lookup('spam.example'));
    await line.set('refused');
    for (const jumpMs of [-2 * dayMs, -3_600_000, 0, 3_600_000]) {
      started.clock.set(Date.now() + jumpMs);
      const { status, json } = await lookup('spam.example');
      assert.deepEqual([status, json.blocklisted], [200, true], `${jumpMs} ms`);
    }
    await line.set('through');
    await started.close();
    line.close();
  });
});
