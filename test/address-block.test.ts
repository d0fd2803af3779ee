import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readConfig } from '../src/config.ts';
import { temporaryDirectory } from './engines.ts';
import { eventually } from './eventually.ts';
import { serveSignalpost } from './signalpost-process.ts';
import { startApp } from './start-app.ts';
import { startTestServer } from './test-server.ts';

describe('an IP address whose requests keep failing', () => {
  it('blocking an IP address after repeated failures writes one log line and increments signalpost_address_blocks_total [D712]', async (t) => {
    const service = await serveSignalpost({
      DATA_DIR: temporaryDirectory(),
      IP_BLOCK_AFTER: '3',
      IP_BLOCK_LOOPBACK: 'true',
    });
    t.after(() => service.stop());
    for (const status of [401, 401, 401, 429, 429]) {
      assert.equal(await service.statusWith('a-key-that-does-not-exist'), status);
    }
    await eventually(async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      assert.match(metrics, /^signalpost_address_blocks_total 1$/m);
    });
    const { stderr } = await service.stop();
    const lines = stderr.split('\n').filter((line) => line.includes('IP address blocked for five minutes'));
    assert.equal(lines.length, 1, stderr);
    assert.equal(JSON.parse(lines[0] ?? '').address, '127.0.0.1');
  });

  it('repeated requests with a revoked key block an IP address as those with an unknown key do', async (t) => {
    const started = await startApp({ IP_BLOCK_AFTER: '2' });
    t.after(() => started.close());
    const { id, keys } = await started.createAccount();
    const statusOf = async (key: string) =>
      (await started.request('GET', '/status', { key, remoteAddress: '203.0.113.7' })).status;
    assert.equal(await statusOf(keys.production), 200);
    for (let count = 0; count < 2; count += 1) assert.equal(await statusOf('a-key-that-does-not-exist'), 401);
    assert.equal(await statusOf(keys.production), 200);
    const made = await started.operator.keys.list(id);
    for (const key of made) await started.operator.keys.revoke(key.id);
    await eventually(async () => assert.equal(await statusOf(keys.production), 429));
  });
});

describe('the TRUST_PROXY of compose.yaml', () => {
  it('the configuration accepts the TRUST_PROXY of compose.yaml, and trusts a proxy on the Docker network', async (t) => {
    const compose = readFileSync(new URL('../compose.yaml', import.meta.url), 'utf8');
    const [, value] = /^ +TRUST_PROXY: \$\{TRUST_PROXY:-(\S+)\}$/m.exec(compose) ?? [];
    assert.ok(value !== undefined);
    const { trustProxy } = readConfig({ TRUST_PROXY: value });
    const made = await startTestServer({ trustProxy, ipBlockAfter: 1 });
    t.after(() => made.close());
    const statusFor = async (client: string) =>
      (await made.request('GET', '/status', { remoteAddress: '172.18.0.1', headers: { 'x-forwarded-for': client } }))
        .status;
    assert.deepEqual(
      [await statusFor('203.0.113.1'), await statusFor('203.0.113.1'), await statusFor('203.0.113.2')],
      [401, 429, 401],
    );
  });
});
