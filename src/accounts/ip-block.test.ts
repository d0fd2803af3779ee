import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequestOptions } from '../../test/start-app.ts';
import { startTestServer } from '../../test/test-server.ts';
import { createIpBlock } from './ip-block.ts';

function blockAfter(after: number, { loopback = false, exemptsPrivate = true } = {}) {
  let nowMs = 0;
  const blocked: string[] = [];
  const exempted: string[] = [];
  const block = createIpBlock({
    after,
    loopback,
    exemptsPrivate,
    monotonicMs: () => nowMs,
    onBlocked: (address) => blocked.push(address),
    onExempted: (address) => exempted.push(address),
  });
  return {
    ...block,
    blocked,
    exempted,
    refuse(ip: string, times: number) {
      for (let count = 0; count < times; count += 1) block.recordRefusal(ip);
    },
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

describe('an address', () => {
  it('an IP address is blocked for five minutes after too many refusals within one minute [D54]', () => {
    const block = blockAfter(100);
    block.refuse('203.0.113.1', 99);
    assert.equal(block.blockedForSeconds('203.0.113.1'), 0);
    block.refuse('203.0.113.1', 1);
    assert.equal(block.blockedForSeconds('203.0.113.1'), 300);
    assert.equal(block.blockedForSeconds('203.0.113.2'), 0);
    block.pass(299_001);
    assert.equal(block.blockedForSeconds('203.0.113.1'), 1);
    block.pass(999);
    assert.equal(block.blockedForSeconds('203.0.113.1'), 0);
  });

  it('an IP address is not blocked for refusals older than a minute', () => {
    const block = blockAfter(3);
    block.refuse('203.0.113.1', 2);
    block.pass(60_000);
    block.refuse('203.0.113.1', 2);
    assert.equal(block.blockedForSeconds('203.0.113.1'), 0);
    block.refuse('203.0.113.1', 1);
    assert.equal(block.blockedForSeconds('203.0.113.1'), 300);
  });

  it('an IP address starts with no refusals counted after a block ends', () => {
    const block = blockAfter(2);
    block.refuse('203.0.113.1', 2);
    block.pass(300_000);
    block.refuse('203.0.113.1', 1);
    assert.equal(block.blockedForSeconds('203.0.113.1'), 0);
  });

  it('a loopback address is exempt unless the operator configures otherwise [D59]', () => {
    for (const ip of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
      const [usual, strict] = [blockAfter(2), blockAfter(2, { loopback: true })];
      usual.refuse(ip, 5);
      strict.refuse(ip, 5);
      assert.equal(usual.blockedForSeconds(ip), 0, ip);
      assert.equal(strict.blockedForSeconds(ip), 300, ip);
    }
  });

  it('each block of an IP address is reported once', () => {
    const block = blockAfter(2);
    block.refuse('203.0.113.1', 50);
    assert.deepEqual(block.blocked, ['203.0.113.1']);
    block.pass(300_000);
    block.refuse('2001:db8::1', 2);
    block.refuse('203.0.113.1', 2);
    assert.deepEqual(block.blocked, ['203.0.113.1', '2001:db8::/64', '203.0.113.1']);
  });

  it('a private IP address is not blocked while no proxy is configured, and is reported once [D711]', () => {
    const block = blockAfter(2);
    for (const ip of ['10.0.0.1', '192.168.1.9', 'fd00::1']) {
      block.refuse(ip, 10);
      assert.equal(block.blockedForSeconds(ip), 0, ip);
    }
    assert.deepEqual([block.blocked, block.exempted], [[], ['10.0.0.1']]);
    const named = blockAfter(2, { exemptsPrivate: false });
    named.refuse('10.0.0.1', 2);
    assert.equal(named.blockedForSeconds('10.0.0.1'), 300);
  });

  it('an IP address is never blocked when blocking is off [D58]', () => {
    const block = blockAfter(0);
    block.refuse('203.0.113.1', 1_000);
    assert.equal(block.blockedForSeconds('203.0.113.1'), 0);
  });

  it('an IPv6 address is counted as its /64 network in every notation', () => {
    const block = blockAfter(2);
    block.refuse('2001:db8::1', 1);
    block.refuse('2001:db8:0:0:ffff::2', 1);
    assert.equal(block.blockedForSeconds('2001:db8::3'), 300);
    assert.equal(block.blockedForSeconds('2001:db8:0:1::1'), 0);
  });
});

describe('a blocked address over HTTP', () => {
  const ip = '203.0.113.7';
  const body = { status: 429, error: 'rate_limit_exceeded', message: 'Too many requests' };

  it('a blocked IP address gets the same answer on every API path, with Retry-After, until the five minutes are over [S113 D56]', async () => {
    const server = await startTestServer({ ipBlockAfter: 3 });
    const key = await server.createKey();
    for (let count = 0; count < 3; count += 1) {
      assert.equal((await server.request('GET', '/status', { remoteAddress: ip })).status, 401);
    }
    const blocked = async (method: 'GET' | 'POST', path: string) =>
      server.request(method, path, { key, remoteAddress: ip, ...(method === 'POST' ? { body: {} } : {}) });
    for (const [method, path] of [
      ['GET', '/status'],
      ['GET', '/domain/fine'],
      ['GET', '/blocklist/fine'],
      ['POST', '/blocklist'],
      ['POST', '/v1/gates/x/decisions'],
      ['POST', '/v0/gates/x/decisions'],
    ] as const) {
      const answer = await blocked(method, path);
      assert.equal(answer.status, 429, path);
      assert.deepEqual(answer.json, body, path);
      assert.equal(answer.headers['retry-after'], '300', path);
    }
    assert.equal((await server.request('GET', '/status', { key, remoteAddress: '203.0.113.8' })).status, 200);
    server.clock.advance(300_000);
    assert.equal((await blocked('GET', '/status')).status, 200);
    await server.close();
  });

  it('a blocked IP address still gets 404, 405, health, readiness and metrics [D57]', async () => {
    const server = await startTestServer({ ipBlockAfter: 1, metricsToken: 'a-token' });
    await server.request('GET', '/status', { remoteAddress: ip });
    const statusOf = async (method: 'GET' | 'POST', path: string) =>
      (await server.request(method, path, { remoteAddress: ip, key: 'a-token' })).status;
    assert.equal(await statusOf('GET', '/nowhere'), 404);
    assert.equal(await statusOf('POST', '/status'), 405);
    for (const path of ['/healthz', '/readyz', '/metrics']) assert.equal(await statusOf('GET', path), 200, path);
    await server.close();
  });

  it('an IP address is blocked for throughput refusals as well as for 401, and requests during the block do not extend it [D55]', async () => {
    const server = await startTestServer({ ipBlockAfter: 2 });
    const key = await server.createKey({ rateLimit: 1 });
    const from = async (options: RequestOptions) =>
      (await server.request<{ message?: string }>('GET', '/status', { ...options, remoteAddress: ip })).json;
    for (let count = 0; count < 3; count += 1) await from({ key });
    assert.deepEqual(await from({}), body);
    server.clock.advance(299_000);
    for (let count = 0; count < 5; count += 1) assert.deepEqual(await from({}), body);
    server.clock.advance(1_000);
    assert.equal((await from({})).message, undefined);
    await server.close();
  });

  it('an IP address is not blocked for used-up credits', async () => {
    const server = await startTestServer({ ipBlockAfter: 2 });
    const key = await server.createKey({ credits: 0 });
    for (let count = 0; count < 5; count += 1) {
      const { json } = await server.request('GET', '/domain/fine', { key, remoteAddress: ip });
      assert.deepEqual(json, { status: 429, error: 'Too many requests' });
    }
    assert.equal((await server.request('GET', '/status', { remoteAddress: ip })).status, 401);
    await server.close();
  });

  it('a blocked IP address may still use a key that this process found valid within the last ten minutes, and no other key [D710]', async () => {
    const server = await startTestServer({ ipBlockAfter: 2 });
    const [known, unknown] = [await server.createKey(), await server.createKey()];
    const statusOf = async (key: string, from = ip) =>
      (await server.request('GET', '/status', { key, remoteAddress: from })).status;
    assert.equal(await statusOf(known), 200);
    for (let count = 0; count < 2; count += 1) await statusOf('a-key-that-nobody-has');
    assert.equal(await statusOf(known), 200);
    assert.equal(await statusOf(unknown), 429);
    assert.equal(await statusOf('a-key-that-nobody-has'), 429);
    // A valid request from any address makes the key known.
    assert.equal(await statusOf(unknown, '203.0.113.8'), 200);
    assert.equal(await statusOf(unknown), 200);
    await server.close();
  });

  it('a blocked IP address cannot use a key that this process last found valid more than ten minutes ago [D710]', async () => {
    const server = await startTestServer({ ipBlockAfter: 2 });
    const key = await server.createKey();
    const statusOf = async (sent: string) =>
      (await server.request('GET', '/status', { key: sent, remoteAddress: ip })).status;
    const blockTheAddress = async () => {
      for (let count = 0; count < 2; count += 1) assert.equal(await statusOf('a-key-that-nobody-has'), 401);
    };
    assert.equal(await statusOf(key), 200);
    server.clock.advance(600_000);
    await blockTheAddress();
    assert.equal(await statusOf(key), 200);
    server.clock.advance(600_001);
    await blockTheAddress();
    assert.equal(await statusOf(key), 429);
    await server.close();
  });

  it('the blocked IP address comes from X-Forwarded-For only as far as TRUST_PROXY allows [D60]', async () => {
    const forwarded = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' };
    const cases = [
      // No proxy is trusted, and the private peer may be an unconfigured one.
      { trustProxy: null, blocked: 'none' },
      { trustProxy: 1, blocked: '203.0.113.7' },
      { trustProxy: 2, blocked: '198.51.100.1' },
      { trustProxy: ['10.0.0.0/8'], blocked: '203.0.113.7' },
      { trustProxy: ['192.0.2.1'], blocked: '10.0.0.1' },
    ];
    for (const { trustProxy, blocked } of cases) {
      const server = await startTestServer({ ipBlockAfter: 1, trustProxy });
      await server.request('GET', '/status', { headers: forwarded, remoteAddress: '10.0.0.1' });
      for (const address of ['10.0.0.1', '203.0.113.7', '198.51.100.1']) {
        const { status } = await server.request('GET', '/status', { remoteAddress: address });
        assert.equal(status, address === blocked ? 429 : 401, `${trustProxy}: ${address}`);
      }
      await server.close();
    }
  });
});
