import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { startDnsServer } from '../../test/dns-server.ts';
import { eventually } from '../../test/eventually.ts';
import { type RequestOptions, startApp } from '../../test/start-app.ts';
import { isForPages, isPublic } from '../http/endpoint.ts';

const origin = 'https://app.example.com';
const visitor = '203.0.113.1';

interface Hint {
  readonly valid: boolean;
  readonly did_you_mean: string | null;
  readonly disposable: boolean | null;
}

/** The service with a publishable key, and warnings in `warnings`. */
async function start(variables: NodeJS.ProcessEnv = {}) {
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => line.includes('hints') && warnings.push(line) });
  const started = await startApp(variables, { log });
  const createKey = async (showsDisposable = false, accountId = started.first.id) => {
    const publishable = { origins: [origin], showsDisposable };
    const made = await started.operator.keys.create({ accountId, environment: 'production', name: null, publishable });
    return made.key;
  };
  const key = await createKey();
  const hint = (email: unknown, options: RequestOptions = {}) =>
    started.request<Hint>('POST', '/v1/hints', {
      key,
      body: { email },
      remoteAddress: visitor,
      ...options,
      headers: { origin, ...options.headers },
    });
  return { started, key, hint, createKey, warnings };
}

describe('POST /v1/hints', () => {
  let service: Awaited<ReturnType<typeof start>>;
  before(async () => {
    service = await start({ HINTS_PER_MINUTE: '1000', HINTS_PER_HOUR: '1000' });
  });
  after(() => service.started.close());

  describe('200', () => {
    it('hints suggest the address that was meant, and say whether an address is valid, without a wrapper [D600]', async () => {
      const cases: readonly [string, Hint][] = [
        ['jane@gmial.com', { valid: true, did_you_mean: 'jane@gmail.com', disposable: null }],
        ['jane@gmail.com', { valid: true, did_you_mean: null, disposable: null }],
        ['no-address', { valid: false, did_you_mean: null, disposable: null }],
        ['', { valid: false, did_you_mean: null, disposable: null }],
        ['x'.repeat(1_000), { valid: false, did_you_mean: null, disposable: null }],
      ];
      for (const [email, expected] of cases) {
        const { status, json } = await service.hint(email);
        assert.deepEqual([status, json], [200, expected], email);
      }
    });

    it('hints say whether an address is disposable only when the key shows it [D604]', async () => {
      const shown = await service.createKey(true);
      assert.equal((await service.hint('joe@mailinator.com')).json.disposable, null);
      const disposableWith = async (email: string) => (await service.hint(email, { key: shown })).json.disposable;
      assert.equal(await disposableWith('joe@mailinator.com'), true);
      assert.equal(await disposableWith('jane@gmail.com'), false);
      assert.equal(await disposableWith('no-address'), null);
    });

    it('hints are given on a plan that is not Pro and without credits, and cost neither credits nor throughput [D600 D602]', async () => {
      const { started } = service;
      const { id, keys } = await started.createAccount({ plan: 'free' });
      const key = await service.createKey(false, id);
      const used = async () => {
        started.clock.advance(1_000);
        const { json } = await started.request<{ usage: object }>('GET', '/status', { key: keys.production });
        return json;
      };
      const before = await used();
      for (let count = 0; count < 5; count += 1) {
        const { status, headers } = await service.hint('jane@gmial.com', { key });
        assert.deepEqual([status, headers['x-ratelimit-limit']], [200, '50']);
      }
      assert.deepEqual(await used(), before);
    });

    it('hints leave no trace in the log, the traffic counts, the seen domains and the lookup counts [D602]', async () => {
      const { started } = service;
      const tables = ['decisions', 'traffic_blocks', 'lookup_counts', 'lookup_domains', 'seen_domains'] as const;
      await service.hint('jane@only-hinted.example');
      const { id } = (
        await started.request<{ data: { id: string } }>('POST', '/v1/gates', {
          key: started.keys.staging,
          body: { name: 'Sign-up' },
        })
      ).json.data;
      const key = started.keys.staging;
      await started.request('POST', `/v1/gates/${id}/decisions`, { key, body: { email: 'jane@decided.example' } });
      await started.request('GET', '/email/jane@looked-up.example', { key });
      await started.app.detectWaves();
      // The lookup and the decision are written by then, in the only environment that has any.
      await eventually(async () => {
        for (const table of tables) {
          const rows = await started.db.read.selectFrom(table).selectAll().execute();
          assert.ok(rows.length > 0, table);
          assert.doesNotMatch(JSON.stringify(rows), /only-hinted|"production"/, table);
        }
      });
    });

    it('hints are read from lists: no DNS server is queried [D601]', async () => {
      const dns = await startDnsServer({});
      const network = await start({ OFFLINE: 'false', DNS_SERVERS: dns.address, DNS_PROBE: 'off' });
      assert.equal((await network.hint('jane@gmial.com')).json.did_you_mean, 'jane@gmail.com');
      assert.equal((await network.hint('jane@unheard-of.example')).status, 200);
      assert.deepEqual([...dns.questions.keys()], []);
      await network.started.close();
      await dns.close();
    });
  });

  describe('401', () => {
    it('hints with a missing or unknown key are refused [D607]', async () => {
      const { started } = service;
      const request = { body: { email: 'jane@gmail.com' }, headers: { origin } };
      assert.equal((await started.request('POST', '/v1/hints', request)).status, 401);
      const unknown = `${service.key.slice(0, -1)}${service.key.endsWith('0') ? '1' : '0'}`;
      assert.equal((await started.request('POST', '/v1/hints', { ...request, key: unknown })).status, 401);
    });
  });

  describe('403', () => {
    it('hints with a secret key are refused with publishable_key_required [D607]', async () => {
      const { status, json } = await service.hint('jane@gmail.com', { key: service.started.keys.production });
      const { message, ...rest } = json as unknown as Record<string, unknown>;
      assert.deepEqual([status, rest], [403, { status: 403, error: 'publishable_key_required' }]);
      assert.match(String(message), /sp_pub_/);
    });

    it("hints for an origin that is not exactly one of the key's, or without one, are refused [D609]", async () => {
      const { started, key } = service;
      const others = ['https://evil.example', 'http://app.example.com', 'https://app.example.com:8443', 'null'];
      for (const sent of [...others, 'https://APP.example.com', 'https://app.example.com/', undefined]) {
        const headers = sent === undefined ? {} : { origin: sent };
        const { status, json, ...answer } = await started.request<{ error: string }>('POST', '/v1/hints', {
          key,
          body: { email: 'jane@gmail.com' },
          headers,
        });
        assert.deepEqual([status, json.error], [403, 'origin_not_allowed'], sent);
        assert.equal(answer.headers['access-control-allow-origin'], undefined);
        assert.equal(answer.headers.vary, 'Origin');
      }
    });
  });

  describe('422', () => {
    it('hints without an email, or with one that is not text, are refused', async () => {
      for (const body of [{}, { email: 1 }, { email: null }, [], '{']) {
        assert.equal((await service.hint('', { body })).status, 422, JSON.stringify(body));
      }
    });
  });

  describe('CORS', () => {
    it('a preflight is answered for every origin, with or without a key [D608]', async () => {
      for (const sent of [origin, 'https://other.example']) {
        const { status, headers } = await service.started.request('OPTIONS', '/v1/hints', {
          headers: { origin: sent, 'access-control-request-method': 'POST' },
        });
        assert.equal(status, 204);
        assert.equal(headers['access-control-allow-origin'], sent);
        assert.equal(headers['access-control-allow-methods'], 'POST');
        assert.equal(headers['access-control-allow-headers'], 'Authorization, Content-Type');
        assert.equal(headers['access-control-max-age'], '86400');
        assert.equal(headers.vary, 'Origin');
      }
    });

    it('responses vary by origin, and those to an allowed origin can be read by its page [D610]', async () => {
      const { started, key } = service;
      const readable = [await service.hint('jane@gmail.com'), await service.hint(1)];
      assert.deepEqual(
        readable.map(({ status }) => status),
        [200, 422],
      );
      const wrongMethod = await started.request('GET', '/v1/hints', { key, headers: { origin } });
      const withoutKey = await started.request('POST', '/v1/hints', { body: {}, headers: { origin } });
      for (const { headers } of readable) assert.equal(headers['access-control-allow-origin'], origin);
      for (const { headers } of [...readable, wrongMethod, withoutKey]) assert.equal(headers.vary, 'Origin');
    });
  });

  it('a publishable key is refused with 403 publishable_key by every other endpoint and by /mcp [D606]', async () => {
    const { started, key } = service;
    const others = started.app.endpoints.filter((one) => isPublic(one) && !isForPages(one));
    assert.ok(others.length > 40);
    const calls = [...others, { method: 'POST', path: '/mcp' } as const];
    for (const { method, path } of calls) {
      const { status, json } = await started.request<Record<string, unknown>>(method, path.replace(/\{\w+\}/g, 'x'), {
        key,
        headers: { origin: 'http://localhost' },
        ...(method === 'GET' ? {} : { body: {} }),
      });
      const { message, ...rest } = json;
      assert.deepEqual([status, rest], [403, { status: 403, error: 'publishable_key' }], `${method} ${path}`);
      assert.equal(typeof message, 'string');
    }
  });

  it('hints are not served in the session API of the console', async () => {
    const { status } = await service.started.request('POST', '/console/api/production/hints', { body: {} });
    assert.equal(status, 404);
  });
});

describe('limits of hints', () => {
  it('hints are limited to 20 a minute and 100 an hour for each address, without a step towards the address block [D611 D613]', async () => {
    const { started, hint, ...service } = await start({ IP_BLOCK_AFTER: '5' });
    const statuses = async (count: number, remoteAddress = visitor) => {
      const all = [];
      for (let index = 0; index < count; index += 1) all.push((await hint('jane@gmail.com', { remoteAddress })).status);
      return { ok: all.filter((one) => one === 200).length, refused: all.filter((one) => one === 429).length };
    };
    assert.deepEqual(await statuses(30), { ok: 20, refused: 10 });
    const refused = await hint('jane@gmail.com');
    assert.equal(refused.headers['retry-after'], '60');
    assert.equal(refused.headers['access-control-allow-origin'], origin);
    assert.equal((refused.json as unknown as { error: string }).error, 'rate_limit_exceeded');
    // More refusals than would block the address.
    assert.equal((await started.request('GET', '/status', { remoteAddress: visitor })).status, 401);
    assert.deepEqual(await statuses(1, '203.0.113.2'), { ok: 1, refused: 0 });
    for (let minute = 0; minute < 5; minute += 1) {
      started.clock.advance(60_000);
      await statuses(20);
    }
    started.clock.advance(60_000);
    assert.equal((await hint('jane@gmail.com')).status, 429);
    started.clock.advance(3_600_000);
    assert.equal((await hint('jane@gmail.com')).status, 200);
    assert.deepEqual(service.warnings, []);
    await started.close();
  });

  it('hints count a /64 of IPv6 as one address, and follow the settings [D611]', async () => {
    const { started, hint } = await start({ HINTS_PER_MINUTE: '2', HINTS_PER_HOUR: '3' });
    const from = async (remoteAddress: string) => (await hint('jane@gmail.com', { remoteAddress })).status;
    assert.deepEqual(
      [await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8::3'), await from('2001:db8:1::1')],
      [200, 200, 429, 200],
    );
    started.clock.advance(60_000);
    assert.deepEqual([await from('2001:db8::1'), await from('2001:db8::1')], [200, 429]);
    await started.close();
  });

  it('hints are limited to 50 a second for each key, from all addresses together [D612]', async () => {
    const { started, hint, createKey } = await start();
    const other = await createKey();
    const ask = (index: number, key?: string) =>
      hint('jane@gmail.com', { remoteAddress: `198.51.100.${index}`, ...(key === undefined ? {} : { key }) });
    const statuses = [];
    for (let index = 0; index < 60; index += 1) statuses.push((await ask(index)).status);
    assert.equal(statuses.filter((status) => status === 200).length, 50);
    const refused = await ask(100);
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1']);
    assert.equal((await ask(101, other)).status, 200);
    started.clock.advance(1_000);
    assert.equal((await ask(102)).status, 200);
    await started.close();
  });

  it('hints for a private or loopback peer are not limited by address without TRUST_PROXY, with one warning [D614]', async () => {
    for (const remoteAddress of ['127.0.0.1', '10.0.0.1', '192.168.1.1']) {
      const { started, hint, warnings } = await start({ HINTS_PER_MINUTE: '1' });
      for (let count = 0; count < 3; count += 1) {
        assert.equal((await hint('jane@gmail.com', { remoteAddress })).status, 200);
      }
      assert.equal(warnings.filter((line) => line.includes('TRUST_PROXY')).length, 1);
      await started.close();
    }
    const behindProxy = await start({ HINTS_PER_MINUTE: '1', TRUST_PROXY: 'loopback' });
    const from = async (visitor: string) =>
      (await behindProxy.hint('a@b.example', { remoteAddress: '127.0.0.1', headers: { 'x-forwarded-for': visitor } }))
        .status;
    assert.deepEqual(
      [await from('203.0.113.1'), await from('203.0.113.1'), await from('203.0.113.2')],
      [200, 429, 200],
    );
    assert.deepEqual(behindProxy.warnings, []);
    await behindProxy.started.close();
  });
});
