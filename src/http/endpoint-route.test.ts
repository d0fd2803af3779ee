import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { exchangeRaw } from '../../test/raw-http.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { threadCpuMs } from '../platform/low-priority.ts';

describe('the order of the checks', () => {
  const blockedAddress = '203.0.113.9';
  /** In the documented order; each makes a request fail, and `status`, `error` are the answer. */
  const faults = [
    { name: 'path', status: 404, error: 'not_found' },
    { name: 'method', status: 405, error: 'method_not_allowed' },
    { name: 'blocked address', status: 429, error: 'rate_limit_exceeded' },
    { name: 'key', status: 401, error: 'unauthorized' },
    { name: 'throughput', status: 429, error: 'rate_limit_exceeded' },
    { name: 'plan', status: 403, error: 'pro_only' },
    { name: 'input', status: 422, error: 'validation_failed' },
    { name: 'object', status: 404, error: 'gate_not_found' },
    { name: 'credits', status: 429, error: 'quota_exceeded' },
    { name: 'work', status: 500, error: 'server_error' },
  ] as const;
  type Fault = (typeof faults)[number]['name'];

  let made: TestServer;
  before(async () => {
    made = await startTestServer({ ipBlockAfter: 2 });
    for (let count = 0; count < 2; count += 1) {
      await made.request('GET', '/status', { remoteAddress: blockedAddress });
    }
  });
  after(() => made.close());

  let addresses = 0;
  const send = async (failing: ReadonlySet<Fault>) => {
    addresses += 1;
    const slow = failing.has('throughput');
    const key = await made.createKey({
      pro: !failing.has('plan'),
      credits: failing.has('credits') ? 0 : 5,
      rateLimit: slow ? 1 : 100,
      blocklistEntries: 0,
    });
    if (slow) await made.request('GET', '/status', { key });
    const gate = failing.has('object') ? 'missing' : failing.has('work') ? 'broken' : 'fine';
    return made.request<{ error: string }>(
      failing.has('method') ? 'PUT' : 'POST',
      failing.has('path') ? '/v1/nowhere' : `/v1/gates/${gate}/decisions`,
      {
        ...(failing.has('key') ? {} : { key }),
        body: failing.has('input') ? 'not JSON' : {},
        remoteAddress: failing.has('blocked address') ? blockedAddress : `198.51.100.${addresses}`,
      },
    );
  };

  it('a request with nothing wrong is answered with 200', async () => {
    assert.equal((await send(new Set())).status, 200);
  });

  for (const [index, { name, status, error }] of faults.entries()) {
    it(`${name} is answered with ${status} ${error}, whatever later check would fail too [S5 S94 D61 D62 D63 D64 D65 D66 D67 D68 D159]`, async () => {
      const later = faults.slice(index + 1).map((fault) => fault.name);
      for (const also of [[], ...later.map((fault) => [fault]), later]) {
        const answer = await send(new Set([name, ...also]));
        assert.equal(answer.status, status, `with ${also.join(', ')}`);
        assert.equal(answer.json.error, error, `with ${also.join(', ')}`);
      }
    });
  }
});

describe('an admitted request', () => {
  let made: TestServer;
  before(async () => {
    made = await startTestServer();
  });
  after(() => made.close());

  it('an admitted request carries the rate limit and the whole tokens left on every authenticated answer, good or bad [D14]', async () => {
    const key = await made.createKey({ rateLimit: 12 });
    const statuses: number[] = [];
    for (const [index, name] of ['fine', 'invalid', 'broken', 'away'].entries()) {
      const { status, headers } = await made.request('GET', `/domain/${name}`, { key });
      statuses.push(status);
      assert.equal(headers['x-ratelimit-limit'], '12');
      assert.equal(headers['x-ratelimit-remaining'], String(11 - index));
    }
    assert.deepEqual(statuses, [200, 400, 500, 503]);
    const free = await made.createKey({ pro: false, rateLimit: 12 });
    const refused = await made.request('GET', '/blocklist/x', { key: free });
    assert.equal(refused.status, 403);
    assert.equal(refused.headers['x-ratelimit-remaining'], '11');
  });

  it("a response to a missing or wrong key carries no rate limit, and the request takes no account's token [D45]", async () => {
    const key = await made.createKey({ rateLimit: 5 });
    for (const headers of [{}, { authorization: 'Bearer sp_prd_wrong' }]) {
      const refused = await made.request('GET', '/domain/fine', { headers });
      assert.equal(refused.status, 401);
      assert.equal(refused.headers['x-ratelimit-limit'], undefined);
    }
    assert.equal((await made.request('GET', '/status', { key })).headers['x-ratelimit-remaining'], '4');
  });

  it('an admitted request takes one token from the account whatever the endpoint costs, shared by its environments [S120 D44]', async () => {
    const key = await made.createKey({ rateLimit: 3 });
    for (const path of ['/status', '/domain/fine', '/blocklist/fine']) {
      assert.equal((await made.request('GET', path, { key })).status, 200);
    }
    const refused = await made.request('GET', '/status', { key });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers['x-ratelimit-remaining'], '0');
    assert.equal(refused.headers['retry-after'], '1');
  });

  it('an admitted request answers exhausted throughput in the words of each family, with Retry-After [S64 S110 D15 D121]', async () => {
    const key = await made.createKey({ rateLimit: 1 });
    await made.request('GET', '/status', { key });
    const bodies = {
      '/domain/fine': { status: 429, error: 'Too many requests' },
      '/blocklist/fine': { message: 'Too many requests' },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const { status, json, headers } = await made.request('GET', path, { key });
      assert.equal(status, 429);
      assert.deepEqual(json, body);
      assert.equal(headers['retry-after'], '1');
    }
    for (const version of ['v0', 'v1']) {
      const answer = await made.request('POST', `/${version}/gates/fine/decisions`, { key, body: {} });
      assert.equal(answer.status, 429);
      assert.deepEqual(answer.json, { error: 'rate_limit_exceeded', message: 'Too many requests' });
    }
  });

  it('an admitted request answers used-up credits in the words of each family, without Retry-After: waiting does not bring them back [S111 S115 S121 D16 D221]', async () => {
    const key = await made.createKey({ credits: 0 });
    const lookup = await made.request('GET', '/domain/fine', { key });
    assert.equal(lookup.status, 429);
    assert.deepEqual(lookup.json, { status: 429, error: 'Too many requests' });
    assert.equal(lookup.headers['retry-after'], undefined);
    const codes = { v1: 'quota_exceeded', v0: 'rate_limit_exceeded' };
    for (const [version, code] of Object.entries(codes)) {
      const answer = await made.request<{ error: string }>('POST', `/${version}/gates/fine/decisions`, {
        key,
        body: {},
      });
      assert.equal(answer.status, 429);
      assert.equal(answer.json.error, code);
      assert.equal(answer.headers['retry-after'], undefined);
    }
  });

  it('an admitted request is served for free endpoints when the credits are used up', async () => {
    const key = await made.createKey({ credits: 0 });
    assert.equal((await made.request('GET', '/blocklist/fine', { key })).status, 200);
    assert.equal((await made.request('GET', '/status', { key })).status, 200);
  });

  it('a 503 for unavailable storage carries no Retry-After [D72]', async () => {
    const key = await made.createKey();
    const { status, headers, json } = await made.request('GET', '/domain/away', { key });
    assert.equal(status, 503);
    assert.equal(headers['retry-after'], undefined);
    assert.deepEqual(json, { status: 503, error: 'Service unavailable' });
  });
});

describe('the place of the key', () => {
  it('the place of the key is the Authorization header: any case of the scheme, or the bare key [S88 D34 D35]', async () => {
    const made = await startTestServer();
    const key = await made.createKey();
    for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER ${key}`, `Bearer   ${key} `, key]) {
      assert.equal((await made.request('GET', '/status', { headers: { authorization } })).status, 200, authorization);
    }
    for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${key}`, `Bearer ${key}x`, `Bearer ${key} ${key}`]) {
      assert.equal((await made.request('GET', '/status', { headers: { authorization } })).status, 401, authorization);
    }
    await made.close();
  });

  it('the place of the key is never the query unless the operator allows it [D36]', async () => {
    for (const allowKeyInQuery of [false, true]) {
      const made = await startTestServer({ allowKeyInQuery });
      const key = await made.createKey();
      const { status } = await made.request('GET', `/status?key=${key}`);
      assert.equal(status, allowKeyInQuery ? 200 : 401);
      const { text } = await made.request('GET', '/metrics');
      assert.match(
        text,
        new RegExp(`signalpost_refusals_total\\{reason="key_in_query"\\} ${allowKeyInQuery ? 0 : 1}\n`),
      );
      assert.equal((await made.request('GET', '/status?key=')).status, 401);
      assert.equal((await made.request('GET', `/status?key=${key}x`)).status, 401);
      await made.close();
    }
  });

  it('a missing and a wrong key are told apart by the blocklist and are one code in Gates [S91 S92 S93]', async () => {
    const made = await startTestServer();
    const answers = [];
    for (const headers of [{}, { authorization: 'Bearer a-key-that-nobody-has' }]) {
      const entry = await made.request('GET', '/blocklist/x', { headers });
      const decision = await made.request<{ error: string }>('POST', '/v1/gates/x/decisions', { headers, body: {} });
      assert.deepEqual([entry.status, decision.status], [401, 401]);
      answers.push([entry.json, decision.json.error]);
    }
    assert.deepEqual(answers, [
      [{ message: 'API key is required' }, 'unauthorized'],
      [{ message: 'Invalid API key' }, 'unauthorized'],
    ]);
    await made.close();
  });
});

describe('the processing time of an account', () => {
  const spendCpu = (ms: number): void => {
    const endMs = threadCpuMs() + ms;
    while (threadCpuMs() < endMs);
  };
  const startWithCosts = () =>
    startTestServer({
      accountCpuPercent: 1,
      work: async (name) => {
        if (name === 'costly') spendCpu(50);
      },
    });
  const body = 'not JSON';

  /** Ten seconds in which one account's work holds the event loop while another's waits. */
  async function exceedShare(own: TestServer, key: string, others: string): Promise<void> {
    for (let second = 0; second < 10; second += 1) {
      await Promise.all([
        own.request('GET', '/blocklist/costly', { key }),
        own.request('GET', '/blocklist/a.com', { key: others }),
      ]);
      own.clock.advance(1_000);
    }
  }

  it('an account above its share for 10 seconds while others waited gets 429 with Retry-After before its input is read [D701 D702]', async () => {
    const own = await startWithCosts();
    const [key, others] = [await own.createKey(), await own.createKey()];
    await exceedShare(own, key, others);
    const refused = await own.request('POST', '/blocklist', { key, body });
    assert.deepEqual([refused.status, refused.json], [429, { message: 'Too many requests' }]);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.equal((await own.request('POST', '/blocklist', { key: others, body: {} })).status, 201);
    const { text } = await own.request('GET', '/metrics');
    assert.match(text, /signalpost_refusals_total\{reason="account_busy"\} 1/);
    own.clock.advance(2_000);
    assert.equal((await own.request('POST', '/blocklist', { key, body: {} })).status, 201);
    await own.close();
  });

  it('lookups, decisions, the status and reads of one object are served to an account above its share [D703]', async () => {
    const own = await startWithCosts();
    const [key, others] = [await own.createKey(), await own.createKey()];
    await exceedShare(own, key, others);
    for (const path of ['/domain/a.com', '/status', '/blocklist/a.com'])
      assert.equal((await own.request('GET', path, { key })).status, 200, path);
    assert.equal((await own.request('POST', '/v1/gates/fine/decisions', { key, body: {} })).status, 200);
    await own.close();
  });

  it('an account for which no other waits is not refused, however much it uses [D704]', async () => {
    const own = await startWithCosts();
    const key = await own.createKey();
    await exceedShare(own, key, key);
    const oversized = await own.request('POST', '/blocklist', { key, body: 'x'.repeat(2_000_000) });
    assert.equal(oversized.status, 413);
    assert.equal((await own.request('POST', '/blocklist', { key, body: {} })).status, 201);
    await own.close();
  });

  it('a request whose account has much waiting is read and answered with the fault of its body [D702]', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const own = await startTestServer({ work: () => held });
    const key = await own.createKey();
    const port = await own.listen();
    const waiting = Array.from({ length: 5 }, () => own.request('GET', '/blocklist/a.com', { key }));
    own.clock.advance(9_000);
    const head = `POST /blocklist HTTP/1.1\r\nHost: h\r\nAuthorization: ${key}\r\nContent-Length: 2000000\r\n`;
    const { socket } = exchangeRaw(port, `${head}Expect: 100-continue\r\n\r\n`);
    const [said] = await once(socket, 'data');
    socket.destroy();
    release();
    for (const { status } of await Promise.all(waiting)) assert.equal(status, 200);
    await own.close();
    assert.match(said, /^HTTP\/1\.1 413 /);
  });
});
