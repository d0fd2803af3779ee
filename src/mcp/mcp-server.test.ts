import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testTools } from '../../test/mcp/test-tools.ts';
import { testEndpoints } from '../../test/test-endpoints.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { threadCpuMs } from '../platform/low-priority.ts';
import { createMcpProtocol } from './mcp-protocol.ts';

interface Answer {
  readonly id?: unknown;
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly [field: string]: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

let made: TestServer;
let key: string;
before(async () => {
  const endpoints = testTools();
  made = await startTestServer({
    endpoints,
    protocols: [createMcpProtocol(endpoints)],
    publicUrl: 'https://a.example',
  });
  key = await made.createKey();
});
after(() => made.close());

type Headers = Readonly<Record<string, string>>;
const send = (body: unknown, headers: Headers = {}, by = key) =>
  made.request<Answer>('POST', '/mcp', { key: by, body, headers });
const message = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 7, method, ...(params && { params }) });
const call = (name: string, args: object, headers: Headers = {}, by = key) =>
  send(message('tools/call', { name, arguments: args }), headers, by);
const write = { 'gates-mode': 'write' };

const version = 'io.modelcontextprotocol/protocolVersion';
const capabilities = 'io.modelcontextprotocol/clientCapabilities';
const envelope = { [version]: '2026-07-28', [capabilities]: {} };
const modernHeaders = (method: string) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });

describe('200', () => {
  it('200: an introduction is answered in the revision that was asked for, else in our newest [A1]', async () => {
    for (const [asked, agreed] of [
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['1999-01-01', '2025-11-25'],
      [7, '2025-11-25'],
    ]) {
      const { status, json } = await send(message('initialize', { protocolVersion: asked }));
      assert.equal(status, 200);
      assert.equal(json.id, 7);
      assert.equal(json.result?.protocolVersion, agreed);
      assert.deepEqual(json.result?.capabilities, { tools: {} });
    }
  });

  it('200: a request without an introduction is answered by what it carries [A1]', async () => {
    const method = 'server/discover';
    const { json } = await send(message(method, { _meta: envelope }), modernHeaders(method));
    assert.deepEqual(json.result?.supportedVersions, ['2026-07-28']);
    assert.equal(json.result?.resultType, 'complete');
    const named = { ...modernHeaders('tools/call'), 'mcp-name': `=?base64?${btoa('read_thing')}?=` };
    const called = await send(
      message('tools/call', { name: 'read_thing', arguments: { thing: 'a' }, _meta: envelope }),
      named,
    );
    assert.equal(called.json.result?.resultType, 'complete');
    assert.equal(called.json.result?.isError, false);
  });

  it('200: a ping is answered', async () => {
    assert.deepEqual((await send(message('ping'))).json, { jsonrpc: '2.0', id: 7, result: {} });
  });

  it('200: an unknown method, tool or page is an error of the protocol', async () => {
    for (const [body, code] of [
      [message('resources/list'), -32601],
      [message('server/discover'), -32601],
      [message('constructor'), -32601],
      [message('tools/call', { name: 'hidden' }), -32602],
      [message('tools/call', { name: ['read_thing'] }), -32602],
      [message('tools/call', { name: 'read_thing', arguments: [] }), -32602],
      [message('tools/list', { cursor: 'x' }), -32602],
    ] as const) {
      const { status, json } = await send(body);
      assert.deepEqual([status, json.id, json.error?.code], [200, 7, code], JSON.stringify(body));
    }
  });

  it('200: tools that write are offered with the header Gates-Mode: write only [A2]', async () => {
    const offered = async (headers: Headers) => {
      const { json } = await send(message('tools/list'), headers);
      return json.result?.tools?.map(({ name }) => name);
    };
    assert.deepEqual(await offered({}), ['read_thing']);
    assert.deepEqual(await offered({ 'gates-mode': 'read' }), ['read_thing']);
    assert.deepEqual(await offered(write), ['read_thing', 'save_thing', 'remove_thing', 'undo_thing']);
  });

  it('200: a tool that writes, called without the header, says which header is missing, and nothing is done [A2]', async () => {
    const { status, json } = await call('save_thing', { thing: 'a', color: 'red' });
    assert.deepEqual([status, json.result?.isError], [200, true]);
    const said = JSON.parse(json.result?.content?.[0]?.text ?? '');
    assert.equal(said.error, 'write_mode_required');
    assert.match(said.message, /Gates-Mode: write/);
    assert.equal((await call('save_thing', { thing: 'a', color: 'red' }, write)).json.result?.isError, false);
  });

  it('200: a tool answers what its endpoint answers, in the words of the schema', async () => {
    const text = async (...args: Parameters<typeof call>) => (await call(...args)).json.result?.content?.[0]?.text;
    assert.equal(
      await text('read_thing', { thing: 'a', limit: 3, full: true }),
      '{"thing":"a","limit":3,"explain":"true"}',
    );
    assert.equal(
      await text('read_thing', { thing: 5, limit: null, full: true }),
      '{"thing":"5","limit":0,"explain":"true"}',
    );
    assert.equal(await text('save_thing', { thing: 'a', color: 'red' }, write), '{"thing":"a","color":"red"}');
    assert.equal(await text('remove_thing', { thing: 'a' }, write), 'Done.');
  });

  it('200: a tool with a concise form returns the whole response for the argument full', async () => {
    const textOf = async (args: object) => (await call('read_thing', args)).json.result?.content?.[0]?.text;
    assert.equal(await textOf({ thing: 'a' }), '{"thing":"a"}');
    assert.equal(await textOf({ thing: 'a', full: true }), '{"thing":"a","limit":0,"explain":"true"}');
  });

  it('200: a tool with an output schema returns an object as well as its text', async () => {
    const { json } = await call('save_thing', { thing: 'a', color: 'red' }, write);
    assert.deepEqual(json.result?.structuredContent, { thing: 'a', color: 'red' });
  });

  it('200: what the API refuses is an error of the tool, with code, message and fields [A3]', async () => {
    const refusals: readonly [string, object, string, (readonly string[])?][] = [
      ['read_thing', { thing: 'missing' }, 'not_found'],
      ['read_thing', { thing: 'a', limit: 0 }, 'validation_failed', ['limit']],
      ['read_thing', { thing: 'a', limit: { a: 1 } }, 'validation_failed', ['limit']],
      ['read_thing', { thing: 'a', limit: [1, null] }, 'validation_failed', ['limit']],
      ['read_thing', { thing: null }, 'validation_failed', ['thing']],
      ['read_thing', { explain: 'false', x: 1 }, 'validation_failed', ['explain', 'x', 'thing']],
      ['save_thing', { thing: 'a' }, 'validation_failed', ['color']],
      ['save_thing', { thing: 'a', color: 1 }, 'validation_failed', ['color']],
      ['save_thing', JSON.parse('{"thing":"a","color":"red","__proto__":{}}'), 'validation_failed', ['__proto__']],
    ];
    for (const [name, args, code, fields] of refusals) {
      const { status, json } = await call(name, args, write);
      assert.deepEqual([status, json.result?.isError], [200, true]);
      const { error, message: sentence, errors } = JSON.parse(json.result?.content?.[0]?.text ?? '');
      assert.equal(error, code);
      assert.ok(sentence.length > 0);
      assert.deepEqual(errors && Object.keys(errors), fields);
    }
  });

  it('200: what rules still use is an error of the tool that names them [A3]', async () => {
    const { json } = await call('remove_thing', { thing: 'used' }, write);
    const { error, rules } = JSON.parse(json.result?.content?.[0]?.text ?? '');
    assert.deepEqual([error, rules], ['list_in_use', [{ gate_id: 'g', id: 'r', name: 'Rule' }]]);
  });

  it('200: a tool that breaks says no more than that, and is counted as a failure of its endpoint', async () => {
    const { json } = await call('read_thing', { thing: 'broken' });
    assert.equal(json.result?.content?.[0]?.text, '{"error":"server_error","message":"Server error"}');
    const { text } = await made.request('GET', '/metrics');
    assert.match(text, /^signalpost_requests_total\{operation="readThing",status="500"\} 1$/m);
  });

  it('200: a tool costs what its endpoint costs, and nothing when it fails [A4]', async () => {
    const poor = await made.createKey({ credits: 2 });
    const outcome = async (thing: string) => (await call('read_thing', { thing }, {}, poor)).json.result;
    assert.equal((await outcome('missing'))?.isError, true);
    assert.equal((await outcome('a'))?.isError, false);
    assert.equal((await outcome('a'))?.isError, false);
    assert.match((await outcome('a'))?.content?.[0]?.text ?? '', /"quota_exceeded"/);
  });

  it('200: what the plan does not have is not offered, and refused when it is called [A4]', async () => {
    const plain = await made.createKey({ pro: false });
    const { json } = await send(message('tools/list'), write, plain);
    assert.deepEqual(
      json.result?.tools?.map(({ name }) => name),
      ['read_thing', 'remove_thing', 'undo_thing'],
    );
    const refused = await call('save_thing', { thing: 'a', color: 'red' }, write, plain);
    assert.match(refused.json.result?.content?.[0]?.text ?? '', /"pro_only"/);
  });
});

describe('202', () => {
  it('202: notifications and unsolicited responses get no response', async () => {
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'read_thing', arguments: { thing: 'broken' } } },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } },
    ]) {
      const { status, text } = await send(body);
      assert.deepEqual([status, text], [202, '']);
    }
  });
});

describe('400', () => {
  const bodies: readonly [string, unknown, number][] = [
    ['no JSON', '{"jsonrpc":', -32700],
    ['nothing', '', -32700],
    ['a body nested too deep', `${'['.repeat(100_000)}`, -32700],
    ['a batch', [message('ping')], -32600],
    ['an empty batch', [], -32600],
    ['a number', '7', -32600],
    ['null', 'null', -32600],
    ['another version of JSON-RPC', { id: 1, method: 'ping' }, -32600],
    ['a method that is no string', { jsonrpc: '2.0', id: 1, method: {} }, -32600],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32600],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
    ['an id that is no integer', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32600],
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32602],
  ];
  for (const [what, body, code] of bodies) {
    it(`400: ${what} is no message [A5]`, async () => {
      const { status, json } = await send(body);
      assert.deepEqual([status, json.error?.code], [400, code]);
    });
  }

  it('400: a batch is told to come one by one', async () => {
    assert.match((await send([message('ping')])).json.error?.message ?? '', /^Batches are not taken/);
  });

  const method = 'tools/call';
  const params = { name: 'read_thing', arguments: { thing: 'a' }, _meta: envelope };
  const good = { ...modernHeaders(method), 'mcp-name': 'read_thing' };
  const { 'mcp-name': _name, ...unnamed } = good;
  const requests: readonly [string, object, Headers, number][] = [
    [
      'an unknown revision',
      { ...params, _meta: { ...envelope, [version]: '2999-01-01' } },
      { ...good, 'mcp-protocol-version': '2999-01-01' },
      -32022,
    ],
    [
      'a revision of the other manner',
      { ...params, _meta: { ...envelope, [version]: '2025-11-25' } },
      { ...good, 'mcp-protocol-version': '2025-11-25' },
      -32022,
    ],
    ['a revision that is no text', { ...params, _meta: { ...envelope, [version]: 1 } }, good, -32602],
    ['no capabilities', { ...params, _meta: { [version]: '2026-07-28' } }, good, -32602],
    ['no envelope', { ...params, _meta: {} }, good, -32602],
    ['another revision in the header', params, { ...good, 'mcp-protocol-version': '2025-11-25' }, -32020],
    ['another method in the header', params, { ...good, 'mcp-method': 'tools/list' }, -32020],
    ['another tool in the header', params, { ...good, 'mcp-name': 'save_thing' }, -32020],
    ['no tool in the header', params, unnamed, -32020],
    [
      'an unknown revision in the header',
      { ...params, _meta: undefined },
      { 'mcp-protocol-version': '2000-01-01' },
      -32022,
    ],
  ];
  for (const [what, sent, headers, code] of requests) {
    it(`400: a request with ${what} is refused [A5]`, async () => {
      const { status, json } = await send(message(method, sent), headers);
      assert.deepEqual([status, json.id, json.error?.code], [400, 7, code]);
    });
  }
});

describe('401', () => {
  it('401: nothing is answered without a key, or with one that is not known [A4]', async () => {
    for (const by of [undefined, 'sp_prd_nobody']) {
      const { status, json, headers } = await made.request('POST', '/mcp', {
        ...(by === undefined ? {} : { key: by }),
        body: message('tools/list'),
      });
      assert.deepEqual([status, (json as { error: string }).error], [401, 'unauthorized']);
      const problem = by === undefined ? '' : ', error="invalid_token"';
      assert.equal(headers['www-authenticate'], `Bearer realm="signalpost"${problem}`);
    }
  });
});

describe('403', () => {
  it('403: a web page of another origin may not call, whatever name leads it here [A6]', async () => {
    for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null', 'http://a.example', 'x']) {
      const { status } = await send(message('ping'), { origin, host: 'evil.example' });
      assert.equal(status, 403, origin);
    }
    for (const origin of ['https://a.example', 'http://localhost:6274', 'http://127.0.0.1', 'http://[::1]:80']) {
      const { status } = await send(message('ping'), { origin });
      assert.equal(status, 200, origin);
    }
  });
});

describe('404', () => {
  it('404: an unknown method of a request without an introduction', async () => {
    const { status, json } = await send(message('ping', { _meta: envelope }), modernHeaders('ping'));
    assert.deepEqual([status, json.error?.code], [404, -32601]);
  });
});

describe('405', () => {
  it('405: there is no stream to open and no session to end', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS'] as const) {
      const { status, headers } = await made.request(method, '/mcp', { key });
      assert.deepEqual([status, headers.allow], [405, 'POST'], method);
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
  });
});

describe('406', () => {
  it('406: a client that does not take JSON; everybody else is answered', async () => {
    for (const [accept, expected] of [
      ['text/event-stream', 406],
      ['application/jsonp', 406],
      ['application/json, text/event-stream', 200],
      ['text/event-stream;q=1, application/json;q=0.5', 200],
      ['*/*', 200],
    ] as const) {
      assert.equal((await send(message('ping'), { accept })).status, expected, accept);
    }
  });
});

describe('413 and 415', () => {
  it('413: a body of more than 1 MB', async () => {
    assert.equal((await send(message('ping', { long: 'x'.repeat(1_048_576) }))).status, 413);
  });

  it('415: a body that is no JSON', async () => {
    assert.equal((await send('<a/>', { 'content-type': 'text/xml' })).status, 415);
  });
});

describe('429', () => {
  it('429: a key speaks no more often than its plan allows [A4]', async () => {
    const slow = await made.createKey({ rateLimit: 1 });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await send(message('ping'), {}, slow)).status);
    assert.ok(statuses.includes(429), String(statuses));
  });

  it('429: a tool that changes something is rejected while its account is above its share, with the time to wait', async () => {
    const tools = testTools();
    const work = async (name: string): Promise<void> => {
      const endMs = threadCpuMs() + (name === 'costly' ? 50 : 0);
      while (threadCpuMs() < endMs);
    };
    const own = await startTestServer({
      endpoints: [...testEndpoints(work), ...tools],
      protocols: [createMcpProtocol(tools)],
      accountCpuPercent: 1,
    });
    const [by, other] = [await own.createKey(), await own.createKey()];
    for (let second = 0; second < 10; second += 1) {
      await own.request('GET', '/blocklist/costly', { key: by });
      await own.request('GET', '/blocklist/a.com', { key: other });
      own.clock.advance(1_000);
    }
    const call = async (name: string) => {
      const body = message('tools/call', { name, arguments: { thing: 'a' } });
      const headers = { 'gates-mode': 'write' };
      return (await own.request<Answer>('POST', '/mcp', { key: by, body, headers })).json.result;
    };
    const [refused, served] = [await call('save_thing'), await call('read_thing')];
    await own.close();
    assert.equal(served?.isError ?? false, false);
    assert.equal(refused?.isError, true);
    assert.equal(JSON.parse(refused?.content?.[0]?.text ?? '').retry_after_seconds, 1);
  });
});
