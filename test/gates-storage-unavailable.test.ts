import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from './engines.ts';
import { eventually } from './eventually.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { blockDomain, gateClient, type WireDecision, type WireError } from './gate-client.ts';
import { untilChangesAreApplied, untilServedFromMemory } from './served-from-memory.ts';
import { missingService, postgresServer, postgresUrl } from './services.ts';
import { realClock, type StartedApp, startApp } from './start-app.ts';

const skip = await missingService(postgresServer);

describe('Gates while storage is unavailable', { skip }, () => {
  let line: FaultyProxy;
  let started: StartedApp;
  let warm: string;
  let cold: string;
  before(async () => {
    line = await startFaultyProxy(await postgresUrl());
    started = await startApp({}, { database: { url: line.url, dataDir: temporaryDirectory() }, clock: realClock() });
    const client = gateClient(started);
    warm = (await client.createGate()).id;
    cold = (await client.createGate()).id;
    await client.addRule(warm, blockDomain('example.com'));
    await untilChangesAreApplied(line);
    // A decision reads the gate, and the blocklist for its signals.
    for (const table of ['"gates"', 'blocklist']) await untilServedFromMemory(line, table, () => decide('v1', warm));
    await line.set('refused');
  });
  after(async () => {
    await line.set('through');
    await eventually(async () => assert.equal((await started.request('GET', '/readyz')).status, 200));
    await started.close();
    line.close();
  });
  const decide = <T = WireError>(version: string, gate: string) =>
    started.request<T>('POST', `/${version}/gates/${gate}/decisions`, {
      key: started.keys.production,
      body: { domain: 'example.com' },
    });

  it('while storage is unavailable, a gate in memory still decides', async () => {
    for (const version of ['v1', 'v0']) {
      const { status, json } = await decide<WireDecision>(version, warm);
      assert.deepEqual([status, json.decision.action], [200, 'block']);
    }
  });

  it('while storage is unavailable, a decision by a gate that is not in memory gets 503 and Retry-After', async () => {
    for (const version of ['v1', 'v0']) {
      const { status, json, headers } = await decide(version, cold);
      assert.deepEqual([status, json.error], [503, 'service_unavailable']);
      assert.deepEqual(json.meta, version === 'v1' ? undefined : { request_id: headers['x-request-id'] });
      assert.equal(headers['retry-after'], undefined);
    }
  });

  it('while storage is unavailable, every request that reads or writes it gets 503', async () => {
    const client = gateClient(started);
    const calls = [
      ['GET', '/v1/gates'],
      ['POST', '/v1/gates', { name: 'x' }],
      ['GET', `/v1/gates/${warm}`],
      ['PATCH', `/v1/gates/${warm}`, { name: 'x' }],
      ['DELETE', `/v1/gates/${warm}`],
      ['POST', `/v1/gates/${warm}/rules`, blockDomain('x.example')],
      ['PUT', `/v1/gates/${warm}/rules/order`, { rule_ids: [] }],
      ['GET', `/v1/gates/${warm}/decisions`],
      ['GET', `/v1/gates/${warm}/stats`],
      ['POST', `/v1/gates/${warm}/backtest`, { rules: [] }],
    ] as const;
    for (const [method, path, body] of calls) {
      const { status, json, headers } = await client.call(method, path, body);
      assert.deepEqual(
        [status, json],
        [503, { error: 'service_unavailable', message: 'Service unavailable' }],
        `${method} ${path}`,
      );
      assert.equal(headers['retry-after'], undefined);
    }
  });

  it('decisions made while storage is unavailable are in the log once it recovers', async () => {
    const { json } = await decide<WireDecision>('v1', warm);
    await line.set('through');
    await eventually(async () => {
      const path = `/v1/gates/${warm}/decisions/${json.meta.decision_id}`;
      assert.equal((await gateClient(started).call('GET', path)).status, 200);
    });
  });
});
