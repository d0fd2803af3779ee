import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { exchangeRaw } from '../../test/raw-http.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { errorTable } from '../errors.ts';

let made: TestServer;
let key: string;
let port: number;
before(async () => {
  made = await startTestServer();
  key = await made.createKey();
  port = await made.listen();
});
after(() => made.close());

const post = (path: string, body: string | Buffer, type = 'application/json') =>
  made.request('POST', path, { key, body, headers: { 'content-type': type } });
const othersAreServed = async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/status`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(answer.status, 200);
};

describe('400', () => {
  const malformed = {
    'no HTTP at all': 'hello\r\n\r\n',
    'an unknown method': 'FETCH /status HTTP/1.1\r\nHost: h\r\n\r\n',
    'two lengths': 'POST /blocklist HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    'a length and chunks':
      'POST /blocklist HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n',
    'a space before the colon': 'GET /status HTTP/1.1\r\nHost : h\r\n\r\n',
    'a folded header': 'GET /status HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n',
    'a bare line feed in a header': 'GET /status HTTP/1.1\r\nHost: h\r\nX: a\nY: b\r\n\r\n',
    'a NUL in a header': 'GET /status HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n',
    'a chunk size that is none': `POST /blocklist HTTP/1.1\r\nHost: h\r\nAuthorization: KEY\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    'no host': 'GET /status HTTP/1.1\r\n\r\n',
    'two hosts': 'GET /healthz HTTP/1.1\r\nHost: h\r\nX: host\r\nhost: other\r\n\r\n',
    'two equal hosts': 'GET /healthz HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n',
    'a transfer coding of HTTP/1.0':
      'POST /blocklist HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: h\r\n\r\n',
  };
  for (const [what, text] of Object.entries(malformed)) {
    it(`400: answers ${what} once, and hangs up [Q12]`, async () => {
      const said = await exchangeRaw(port, text.replace('KEY', key)).whole;
      assert.match(said, /^HTTP\/1\.1 400 /);
      assert.match(said, /^connection: close$/im);
      assert.equal(said.match(/^HTTP\/1\.1 /gm)?.length, 1);
      await othersAreServed();
    });
  }

  it('a 400 has a JSON body and a request id also when the request could not be read', async () => {
    const said = await exchangeRaw(port, 'hello\r\n\r\n').whole;
    assert.match(said, /^X-Request-Id: [0-9A-Z]{26}\r$/m);
    assert.match(said, /\r\n\r\n\{"status":400,"error":"Bad request"\}$/);
  });

  it('a request without a host gets a 400, and one with an unknown expectation a 417, both as JSON with a request id', async () => {
    const refused = {
      'GET /status HTTP/1.1\r\n\r\n': '{"status":400,"error":"Bad request"}',
      'GET /status HTTP/1.1\r\nHost: h\r\nExpect: tea\r\n\r\n': '{"status":417,"error":"Expectation failed"}',
    };
    for (const [text, body] of Object.entries(refused)) {
      const said = await exchangeRaw(port, text).whole;
      assert.match(said, /^x-request-id: [0-9A-Z]{26}\r$/im);
      assert.match(said, /^content-type: application\/json/im);
      assert.equal(said.split('\r\n\r\n')[1], body);
    }
    const old = await exchangeRaw(port, 'GET /healthz HTTP/1.0\r\n\r\n').whole;
    assert.match(old, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(old, /^keep-alive:/im, 'the connection closes');
  });
});

describe('a request that says it is JSON and carries no body', () => {
  for (const method of ['POST', 'DELETE', 'GET']) {
    it(`a request that says it is JSON and carries no body is answered when it is a ${method}`, async () => {
      const text = `${method} /blocklist HTTP/1.1\r\nHost: h\r\nAuthorization: ${key}\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n`;
      const { socket, whole } = exchangeRaw(port, text);
      // Generous: it would wait for ever.
      socket.setTimeout(20_000, () => socket.destroy());
      assert.match(await whole, /^HTTP\/1\.1 [24]\d\d /);
    });
  }
});

const tooLarge = errorTable.payload_too_large.message;

describe('413', () => {
  it('413: refuses a body of more than one mebibyte in the shape of the family [D219]', async () => {
    const body = `{"x":"${'a'.repeat(1_048_576)}"}`;
    const blocklist = await post('/blocklist', body);
    assert.deepEqual([blocklist.status, blocklist.json], [413, { message: tooLarge }]);
    const gates = await post('/v1/gates/x/decisions', body);
    assert.deepEqual([gates.status, gates.json], [413, { error: 'payload_too_large', message: tooLarge }]);
  });

  it('a 413 comes after the key: a stranger learns nothing', async () => {
    const answer = await made.request('POST', '/blocklist', { body: `"${'a'.repeat(1_100_000)}"` });
    assert.equal(answer.status, 401);
  });

  it('a 413 is not sent for a body just within the limit', async () => {
    const body = `{"x":"${'a'.repeat(1_048_576 - 8)}"}`;
    assert.equal(Buffer.byteLength(body), 1_048_576);
    assert.equal((await post('/blocklist', body)).status, 201);
  });
});

describe('431', () => {
  it('431: refuses 20 KB of headers, and serves others on [Q13]', async () => {
    const said = await exchangeRaw(port, `GET /status HTTP/1.1\r\nHost: h\r\nX: ${'a'.repeat(20_480)}\r\n\r\n`).whole;
    assert.match(said, /^HTTP\/1\.1 431 /);
    assert.match(said, /\{"status":431,"error":"Request header fields too large"\}$/);
    await othersAreServed();
  });

  it('431: refuses a target of 20 KB as well', async () => {
    const said = await exchangeRaw(port, `GET /domain/${'a'.repeat(20_480)} HTTP/1.1\r\nHost: h\r\n\r\n`).whole;
    assert.match(said, /^HTTP\/1\.1 431 /);
  });
});

describe('a slow client', () => {
  it('a client that never finishes its headers gets 408, and no other client waits for it [Q14]', async () => {
    made.server.node.headersTimeout = 100;
    const slow = exchangeRaw(port, 'GET /status HTTP/1.1\r\nHost: h\r\n');
    await othersAreServed();
    assert.match(await slow.whole, /^HTTP\/1\.1 408 /);
    made.server.node.headersTimeout = 10_000;
  });

  it('a slow client must by default send its headers within 10 seconds and its request within 30', () => {
    assert.equal(made.server.node.headersTimeout, 10_000);
    assert.equal(made.server.node.requestTimeout, 30_000);
  });
});

describe('a strange body', () => {
  it('a strange body never fails a request: what it means is for the endpoint to say', async () => {
    const kinds = {
      '{"domain":"x"}': { kind: 'json', value: { domain: 'x' } },
      '\uFEFF{"domain":"x"}': { kind: 'json', value: { domain: 'x' } },
      null: { kind: 'json', value: null },
      '[1]': { kind: 'json', value: [1] },
      '{"domain":': { kind: 'malformed', problem: 'The body is not valid JSON.' },
      '{"a":NaN}': { kind: 'malformed', problem: 'The body is not valid JSON.' },
      '\0\0': { kind: 'malformed', problem: 'The body is not valid JSON.' },
      '{"__proto__":{"polluted":true}}': { kind: 'json', value: JSON.parse('{"__proto__":{"polluted":true}}') },
    };
    for (const [body, expected] of Object.entries(kinds)) {
      const { status, json } = await post('/blocklist', body);
      assert.deepEqual([status, json], [201, expected], body);
    }
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('a strange body nested deeper than 32 levels is malformed, however deep [Q15]', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    for (const [depth, kind] of [
      [32, 'json'],
      [33, 'malformed'],
      [200_000, 'malformed'],
    ] as const) {
      const { status, json } = await post('/blocklist', nested(depth));
      assert.deepEqual([status, (json as { kind: string }).kind], [201, kind], String(depth));
    }
    const deep = await post('/blocklist', nested(33));
    assert.equal((deep.json as { problem: string }).problem, 'The body is nested deeper than 32 levels.');
    const text = JSON.stringify({ text: '[[{{'.repeat(50), quoted: '"[[[\\' });
    assert.equal(((await post('/blocklist', text)).json as { kind: string }).kind, 'json');
  });

  it('a strange body that is compressed is told apart, whether its headers say so or not', async () => {
    const problem = 'The body is compressed. Send it as plain JSON, without Content-Encoding.';
    const headers = { 'content-encoding': 'gzip' };
    const announced = await made.request('POST', '/blocklist', { key, body: '{}', headers });
    assert.deepEqual(announced.json, { kind: 'malformed', problem });
    assert.deepEqual((await post('/blocklist', gzipSync('{}'))).json, { kind: 'malformed', problem });
    const plain = await made.request('POST', '/blocklist', {
      key,
      body: '{}',
      headers: { 'content-encoding': 'identity' },
    });
    assert.deepEqual(plain.json, { kind: 'json', value: {} });
  });

  it('a strange body of another content type is told apart, and one without a content type is read as JSON', async () => {
    const kindOf = async (type: string) => {
      const { status, json } = await post('/blocklist', '{"domain":"x"}', type);
      assert.equal(status, 201, type);
      return (json as { kind: string }).kind;
    };
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON'])
      assert.equal(await kindOf(type), 'json', type);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      assert.equal(await kindOf(type), 'other-type', type);
    const bare = await exchangeRaw(
      port,
      `POST /blocklist HTTP/1.1\r\nHost: h\r\nAuthorization: ${key}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    ).whole;
    assert.match(bare, /"kind":"json"/);
  });

  it('a strange body with a malformed content type is treated as another type', async () => {
    for (const type of ['', ';', 'json', '///', 'text/', 'application/json,text/plain', 'a b']) {
      const { status, json } = await post('/blocklist', '{}', type);
      assert.deepEqual([status, json], [201, { kind: 'other-type' }], type);
    }
  });

  it('a body that is absent is told apart from empty JSON', async () => {
    const { json } = await made.request('POST', '/blocklist', { key });
    assert.deepEqual(json, { kind: 'absent' });
    assert.deepEqual((await post('/blocklist', '')).json, { kind: 'absent' });
  });
});

describe('requests to unknown paths', () => {
  it('requests to unknown paths that a client pipelines are answered with the health check of another client in between', async () => {
    const many = 1_000;
    const unknown = 'GET /nowhere HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(many - 1);
    const { socket, whole } = exchangeRaw(port, `${unknown}GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
    let answered = 0;
    const { promise: first, resolve } = Promise.withResolvers<void>();
    socket.on('data', (text: string) => {
      answered += text.split('HTTP/1.1 404').length - 1;
      resolve();
    });
    await first;
    await exchangeRaw(port, 'GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n').whole;
    const before = answered;
    assert.equal((await whole).split('HTTP/1.1 404').length - 1, many);
    assert.ok(before < many / 2, `the health check was answered after ${before} of ${many}`);
  });
});
