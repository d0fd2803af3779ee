import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApp } from '../../test/start-app.ts';
import { startTestServer } from '../../test/test-server.ts';

describe('a lookup without a key', () => {
  const tooMany = { status: 429, error: 'Too many requests' };

  it('a lookup without a key is refused unless the operator allows it [D713]', async () => {
    const server = await startTestServer();
    assert.equal((await server.request('GET', '/domain/fine')).status, 401);
    await server.close();
  });

  it('a lookup without a key is refused above the hourly limit of its address, with the seconds until the next is allowed [D714]', async () => {
    const server = await startTestServer({ anonymousPerHour: 2, ipBlockAfter: 3 });
    const ask = (remoteAddress: string) => server.request('GET', '/domain/fine', { remoteAddress });
    assert.equal((await ask('203.0.113.1')).status, 200);
    server.clock.advance(600_000);
    const second = await ask('203.0.113.1');
    assert.deepEqual([second.status, second.headers['x-ratelimit-limit']], [200, undefined]);
    // More refusals than would block the address: refused lookups without a key do not count towards a block.
    for (let count = 0; count < 5; count += 1) {
      const third = await ask('203.0.113.1');
      assert.deepEqual([third.status, third.json, third.headers['retry-after']], [429, tooMany, '3000']);
    }
    assert.equal((await ask('203.0.113.2')).status, 200);
    server.clock.advance(3_000_000);
    assert.deepEqual([(await ask('203.0.113.1')).status, (await ask('203.0.113.1')).status], [200, 429]);
    await server.close();
  });

  it('a lookup without a key counts for the whole /64 of an IPv6 address [D714]', async () => {
    const server = await startTestServer({ anonymousPerHour: 1 });
    const statusFrom = async (remoteAddress: string) =>
      (await server.request('GET', '/domain/fine', { remoteAddress })).status;
    assert.deepEqual(
      [await statusFrom('2001:db8::1'), await statusFrom('2001:db8::2'), await statusFrom('2001:db8:0:1::1')],
      [200, 429, 200],
    );
    await server.close();
  });

  it('other requests without a key and lookups with a wrong key are still refused [D715]', async () => {
    const server = await startTestServer({ anonymousPerHour: 10 });
    assert.equal((await server.request('GET', '/status')).status, 401);
    assert.equal((await server.request('GET', '/blocklist/fine')).status, 401);
    assert.equal((await server.request('POST', '/v1/gates/x/decisions', { body: {} })).status, 401);
    assert.equal((await server.request('GET', '/domain/fine', { key: 'a-key-that-nobody-has' })).status, 401);
    await server.close();
  });

  it('a lookup of a domain or an address without a key returns the fields of a plan that is not Pro [D713]', async () => {
    const started = await startApp({ ANONYMOUS_PER_HOUR: '10' });
    const free = await started.createAccount({ plan: 'free' });
    for (const path of ['/domain/gmail.com?wait=domain_authority', '/email/jane@gmail.com']) {
      const { status, json } = await started.request<object>('GET', path);
      assert.equal(status, 200);
      const known = await started.request<object>('GET', path, { key: free.keys.production });
      assert.deepEqual(json, known.json);
      assert.ok(!('domain_authority' in json) && !('blocklisted' in json));
      started.clock.advance(1_000);
    }
    await started.close();
  });
});
