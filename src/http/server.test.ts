import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../../test/eventually.ts';
import type { RequestOptions } from '../../test/start-app.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { endpoint } from './endpoint.ts';

let made: TestServer;
let key: string;
before(async () => {
  made = await startTestServer();
  key = await made.createKey();
});
after(() => made.close());

describe('404', () => {
  it('a 404 speaks the language of the family whose path it is under [S107 D9 D122]', async () => {
    const bodies = {
      '/nowhere': { status: 404, error: 'Not found' },
      '/domain': { status: 404, error: 'Not found' },
      '/domain/a/b': { status: 404, error: 'Not found' },
      '/status;x': { status: 404, error: 'Not found' },
      '/status/': { status: 404, error: 'Not found' },
      '/STATUS': { status: 404, error: 'Not found' },
      '/v10/gates': { status: 404, error: 'Not found' },
      '/blocklists': { status: 404, error: 'Not found' },
      '/blocklist/a/b': { message: 'Not found' },
      '/v1': { error: 'not_found', message: 'Not found' },
      '/v1/nowhere': { error: 'not_found', message: 'Not found' },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const { status, json } = await made.request('GET', path, { key });
      assert.equal(status, 404, path);
      assert.deepEqual(json, body, path);
    }
  });

  it('a 404 is the same with and without a key', async () => {
    for (const path of ['/nowhere', '/v1/nowhere', '/blocklist/a/b']) {
      const [with_, without] = [await made.request('GET', path, { key }), await made.request('GET', path)];
      assert.equal(with_.text, without.text);
    }
  });

  it("a 404 is the framework's own body under /v0, for a wrong method too [S117 D226]", async () => {
    for (const [method, path] of [
      ['GET', '/v0'],
      ['GET', '/v0/nowhere'],
      ['GET', '/v0/gates/x/decisions'],
      ['POST', '/v0/gates'],
    ] as const) {
      const { status, json } = await made.request(method, `${path}?key=a-secret`, { key });
      assert.equal(status, 404);
      assert.deepEqual(json, { message: `Route ${method}:${path} not found`, error: 'Not Found', statusCode: 404 });
    }
  });
});

describe('405', () => {
  it('a 405 lists the accepted methods in Allow, in the language of the family [S108 D10 D123]', async () => {
    const cases = [
      ['POST', '/status', 'GET, HEAD', { status: 405, error: 'Method not allowed' }],
      ['DELETE', '/domain/example.com', 'GET, HEAD', { status: 405, error: 'Method not allowed' }],
      ['PUT', '/blocklist', 'POST', { message: 'Method not allowed' }],
      ['PATCH', '/blocklist/x', 'GET, HEAD', { message: 'Method not allowed' }],
      ['GET', '/v1/gates/x/decisions', 'POST', { error: 'method_not_allowed', message: 'Method not allowed' }],
      ['OPTIONS', '/v1/gates/x/decisions', 'POST', { error: 'method_not_allowed', message: 'Method not allowed' }],
    ] as const;
    for (const [method, path, allow, body] of cases) {
      const { status, headers, json } = await made.request(method, path, { key });
      assert.equal(status, 405, path);
      assert.equal(headers.allow, allow);
      assert.deepEqual(json, body);
    }
  });
});

describe('a path value', () => {
  const decoded = async (path: string) => (await made.request<{ value: string }>('GET', path, { key })).json.value;

  it('a path value is percent-decoded once [D3]', async () => {
    assert.equal(await decoded('/domain/ex%61mple.com'), 'example.com');
    assert.equal(await decoded('/domain/a%2525b'), 'a%25b');
    assert.equal(await decoded('/domain/b%C3%BCcher.example'), 'bücher.example');
  });

  it('a path value keeps an encoded slash inside its segment [D5]', async () => {
    assert.equal(await decoded('/domain/a%2Fb%40example.com'), 'a/b@example.com');
    assert.equal(await decoded('/domain/a%2fb'), 'a/b');
  });

  it('a path value keeps a plus as a plus, raw or encoded, and an at sign too [D4 D6]', async () => {
    assert.equal(await decoded('/domain/a+b@example.com'), 'a+b@example.com');
    assert.equal(await decoded('/domain/a%2Bb%40example.com'), 'a+b@example.com');
    assert.equal(await decoded('/domain/a;b'), 'a;b');
    assert.equal(await decoded('/domain/a%3Fb%23c'), 'a?b#c');
  });

  it('a path value with an invalid percent sequence is malformed input: 400, after the key was checked [D7]', async () => {
    const paths = ['/domain/%', '/domain/%zz', '/domain/a%ff', '/domain/a%C3', '/domain/a;%zz', '/domain/%2525%'];
    for (const path of paths) {
      const { status, json } = await made.request('GET', path, { key });
      assert.equal(status, 400, path);
      assert.deepEqual(json, { status: 400, error: 'The domain is invalid.' });
      assert.equal((await made.request('GET', path)).status, 401, path);
    }
  });

  it('a path value may be long; what is too long is the business of the endpoint', async () => {
    const long = 'a'.repeat(8_000);
    assert.equal(await decoded(`/domain/${long}`), long);
  });

  it('a path value may be empty, for the endpoint to refuse: the path exists', async () => {
    assert.equal(await decoded('/domain/'), '');
    assert.equal((await made.request('POST', '/domain/', { key })).status, 405);
    assert.equal((await made.request('POST', '/v1/gates//decisions', { key, body: {} })).status, 200);
    assert.equal((await made.request('PUT', '/v1/gates//decisions', { key, body: {} })).status, 405);
  });

  it('a path value is unharmed by an invalid percent sequence in the query [D2]', async () => {
    assert.equal(await decoded('/domain/fine?x=%zz&unknown=1'), 'fine');
  });
});

describe('HEAD', () => {
  it('HEAD answers as GET without a body, and is charged like it [D19]', async () => {
    const own = await made.createKey({ credits: 2 });
    const head = await made.request('HEAD', '/domain/fine', { key: own });
    const get = await made.request('GET', '/domain/fine', { key: own });
    assert.deepEqual([head.status, head.text, get.status], [200, '', 200]);
    assert.equal(head.headers['content-length'], get.headers['content-length']);
    assert.equal((await made.request('HEAD', '/domain/fine', { key: own })).status, 429);
  });
});

describe('the request id', () => {
  const ulidShape = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

  it('the request id is an upper-case ULID on every answer [D12]', async () => {
    const seen = new Set<string>();
    for (const [method, path] of [
      ['GET', '/status'],
      ['GET', '/nowhere'],
      ['POST', '/status'],
      ['GET', '/v0/nowhere'],
      ['OPTIONS', '/status'],
      ['GET', '/healthz'],
      ['GET', '/domain/broken'],
    ] as const) {
      const id = (await made.request(method, path, { key })).headers['x-request-id'] ?? '';
      assert.match(id, ulidShape, path);
      seen.add(id);
    }
    assert.equal(seen.size, 7);
  });

  it("the request id is the caller's own when that is a ULID, and else a new one [D13]", async () => {
    const own = '01JCX5S1V0ABCDEFGHJKMNPQRS';
    const idFor = async (id: string) =>
      (await made.request('GET', '/status', { headers: { 'x-request-id': id } })).headers['x-request-id'] ?? '';
    assert.equal(await idFor(own), own);
    for (const id of [own.toLowerCase(), `${own}A`, '8ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'my-id', `${own}, ${own}`]) {
      assert.notEqual(await idFor(id), id);
      assert.match(await idFor(id), ulidShape);
    }
  });
});

describe('a browser', () => {
  it('a browser may read lookups and status from any origin, errors included [D17]', async () => {
    for (const [path, options] of [
      ['/status', { key }],
      ['/status', {}],
      ['/domain/fine', { key }],
      ['/domain/invalid', { key }],
      ['/domain/broken', { key }],
    ] as const) {
      const { headers } = await made.request('GET', path, options);
      assert.equal(headers['access-control-allow-origin'], '*', path);
      assert.match(headers['access-control-expose-headers'] ?? '', /Retry-After/);
    }
  });

  it('a browser gets its preflight answered without a key [D18]', async () => {
    for (const path of ['/status', '/domain/example.com']) {
      const { status, headers, text } = await made.request('OPTIONS', path, {
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      });
      assert.deepEqual([status, text], [204, '']);
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.match(headers['access-control-allow-headers'] ?? '', /Authorization/);
      assert.match(headers['access-control-allow-methods'] ?? '', /GET/);
    }
  });

  it('a browser gets no CORS headers from the blocklist and from Gates', async () => {
    for (const path of ['/blocklist/fine', '/v1/nowhere']) {
      const { headers } = await made.request('GET', path, { key });
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
  });
});

describe('JSON answers', () => {
  it('JSON answers carry the content type of JSON in UTF-8 [S1 D1]', async () => {
    for (const path of [
      '/status',
      '/domain/b%C3%BCcher',
      '/nowhere',
      '/v1/nowhere',
      '/blocklist/missing',
      '/healthz',
    ]) {
      const { headers } = await made.request('GET', path, { key });
      assert.equal(headers['content-type'], 'application/json; charset=utf-8', path);
    }
  });
});

describe('the operations', () => {
  it('the operational endpoints answer without a key: health, readiness, metrics and the reference [D258]', async () => {
    assert.deepEqual((await made.request('GET', '/healthz')).json, { status: 'ok' });
    assert.deepEqual((await made.request('GET', '/readyz')).json, { status: 'ready' });
    const metrics = await made.request('GET', '/metrics');
    assert.equal(metrics.status, 200);
    assert.match(metrics.headers['content-type'] ?? '', /^text\/plain/);
    assert.match(metrics.text, /^signalpost_requests_total\{operation="getStatus",status="200"\} [1-9]/m);
    assert.match(metrics.text, /^signalpost_request_duration_seconds_count\{operation="getStatus"\} [1-9]/m);
    assert.equal((await made.request<{ openapi: string }>('GET', '/openapi.json')).json.openapi, '3.1.0');
  });

  it('the operational endpoints report not ready, without Retry-After, while storage is unavailable', async () => {
    const away = await startTestServer({ ready: () => Promise.reject(new Error('away')) });
    const { status, headers, json } = await away.request('GET', '/readyz');
    assert.deepEqual([status, headers['retry-after'], json], [503, undefined, { status: 'not ready' }]);
    assert.equal((await away.request('GET', '/healthz')).status, 200);
    await away.close();
  });
});

describe('metrics', () => {
  const status = async (server: TestServer, options: RequestOptions) =>
    (await server.request('GET', '/metrics', options)).status;

  it('metrics without a token are for direct requests from this machine; for others they are not there', async () => {
    for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      assert.equal(await status(made, { remoteAddress }), 200, remoteAddress);
    const forwarded = { headers: { 'x-forwarded-for': '127.0.0.1' } };
    for (const options of [{ remoteAddress: '203.0.113.7' }, { remoteAddress: '10.0.0.1' }, forwarded])
      assert.equal(await status(made, options), 404);
  });

  it('metrics with a token need it from everywhere', async () => {
    const own = await startTestServer({ metricsToken: 'a-token-of-the-operator' });
    for (const remoteAddress of ['127.0.0.1', '203.0.113.7']) {
      assert.equal(await status(own, { remoteAddress, key: 'a-token-of-the-operator' }), 200);
      for (const wrong of ['a-token-of-the-operato', 'a-token-of-the-operator2', '', 'x'])
        assert.equal(await status(own, { remoteAddress, key: wrong }), 401);
      assert.equal(await status(own, { remoteAddress }), 401);
    }
    await own.close();
  });

  it('metrics are worked out at most once a second', async () => {
    const own = await startTestServer();
    const first = await own.request('GET', '/metrics');
    await own.request('GET', '/status');
    assert.equal((await own.request('GET', '/metrics')).text, first.text);
    await eventually(async () => assert.notEqual((await own.request('GET', '/metrics')).text, first.text));
    await own.close();
  });
});

describe('readiness', () => {
  it('readiness asks the storage at most once in a quarter of a second, however many ask, and again later', async () => {
    let asked = 0;
    const own = await startTestServer({
      ready: async () => {
        asked += 1;
        if (asked === 1) throw new Error('away');
      },
    });
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await own.request('GET', '/readyz')).status),
    );
    assert.deepEqual([new Set(statuses), asked], [new Set([503]), 1]);
    await eventually(async () => assert.equal((await own.request('GET', '/readyz')).status, 200));
    await own.close();
  });

  it('readiness asks the storage at most four times a second, also when one asks after the other', async () => {
    let asked = 0;
    const own = await startTestServer({
      ready: async () => {
        asked += 1;
      },
    });
    const beganMs = performance.now();
    for (let count = 0; count < 40; count += 1) await own.request('GET', '/readyz');
    const quarters = Math.floor((performance.now() - beganMs) / 250);
    assert.ok(asked <= 1 + quarters, `${asked} times in ${quarters} quarters of a second`);
    await own.close();
  });

  it('readiness ends at the first moment of a stop, while requests are still answered', async () => {
    const own = await startTestServer();
    own.server.drain();
    assert.equal((await own.request('GET', '/readyz')).status, 503);
    assert.equal((await own.request('GET', '/healthz')).status, 200);
    await own.close();
  });
});

describe('the reference', () => {
  it('the reference is not sent again to a client that has it', async () => {
    const { headers, text } = await made.request('GET', '/openapi.json');
    assert.equal(JSON.parse(text).openapi, '3.1.0');
    const etag = headers.etag ?? '';
    const again = await made.request('GET', '/openapi.json', { headers: { 'if-none-match': etag } });
    assert.deepEqual([again.status, again.text], [304, '']);
  });
});

describe('answers of the API', () => {
  it('API responses, errors included, carry no-store and nosniff', async () => {
    for (const path of ['/status', '/domain/invalid', '/nowhere', '/v0/nowhere', '/v1/nowhere', '/blocklist/fine']) {
      const { headers } = await made.request('GET', path, { key });
      assert.equal(headers['cache-control'], 'no-store', path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
    }
    const preflight = await made.request('OPTIONS', '/status');
    assert.equal(preflight.headers['cache-control'], undefined);
  });

  it('answers of the API tell a client for how long its connection may rest, unless it is closed', async () => {
    const { headers } = await made.request('GET', '/status', { key });
    assert.equal(headers['keep-alive'], 'timeout=72');
    const refused = await made.request('POST', '/blocklist', { key, body: 'x'.repeat(1_048_577) });
    assert.deepEqual(
      [refused.status, refused.headers.connection, refused.headers['keep-alive']],
      [413, 'close', undefined],
    );
  });
});

describe('links', () => {
  it('links are built on the own host of the request unless PUBLIC_URL is set [D145]', async () => {
    const bases: string[] = [];
    const showBase = endpoint({
      method: 'GET',
      path: '/base',
      operationId: 'base',
      summary: 'Shows the base of links',
      family: 'lookup',
      plan: 'any',
      credits: 0,
      errors: [],
      handle(_sent, call) {
        bases.push(call.baseUrl);
        return {};
      },
    });
    for (const publicUrl of [null, 'https://api.example.com/signals']) {
      const server = await startTestServer({ publicUrl, endpoints: [showBase] });
      const ownKey = await server.createKey();
      await server.request('GET', '/base', { key: ownKey, headers: { host: 'here.example:8080' } });
      await server.close();
    }
    assert.deepEqual(bases, ['http://here.example:8080', 'https://api.example.com/signals']);
  });
});

describe('a stop', () => {
  it('a stopping server finishes the requests in progress and closes their connections', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const own = await startTestServer({
      work: async (name) => {
        if (name !== 'slow') return;
        begin();
        await released;
      },
    });
    const authorization = `Bearer ${await own.createKey()}`;
    const url = `http://127.0.0.1:${await own.listen()}/domain/`;
    const slow = fetch(`${url}slow`, { headers: { authorization } });
    await begun;
    own.server.drain();
    const during = await fetch(`${url}fine`, { headers: { authorization } });
    assert.deepEqual([during.status, during.headers.get('connection')], [200, 'close']);
    const closing = own.close();
    release();
    assert.equal((await slow).status, 200);
    await closing;
  });
});
