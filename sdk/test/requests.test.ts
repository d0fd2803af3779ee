import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { AuthenticationError, BadRequestError, Signalpost } from '../src/index.ts';
import { quickClient, thrownBy } from './client.ts';
import { decision, json, lookup, misbehave } from './misbehaving-server.ts';

const packageJson = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

describe('a request', () => {
  test('a request of the client carries the key, its own name, what it accepts and the headers of client and call', async () => {
    await using server = await misbehave(lookup);
    const client = quickClient(server.url, { headers: { 'x-one': '1', 'x-two': '1' } });
    await client.domain('example.com', {}, { headers: { 'x-two': '2' } });
    const headers = server.seen[0]?.headers ?? {};
    assert.equal(headers.authorization, 'Bearer sp_dev_test');
    assert.equal(headers.accept, 'application/json');
    assert.equal(headers['user-agent'], `signalpost-client/${packageJson.version}`);
    assert.deepEqual([headers['x-one'], headers['x-two'], headers['content-type']], ['1', '2', undefined]);
  });

  test('a request of the client carries no key when there is none', async () => {
    await using server = await misbehave(lookup);
    await quickClient(server.url, { apiKey: null }).domain('example.com');
    assert.equal(server.seen[0]?.headers.authorization, undefined);
  });

  test('a request of the client goes through the fetch that was given', async () => {
    const asked: string[] = [];
    const client = quickClient('http://signalpost.invalid', {
      fetch: async (url) => {
        asked.push(String(url));
        return Response.json({ account: {}, usage: {} });
      },
    });
    await client.status();
    assert.deepEqual(asked, ['http://signalpost.invalid/status']);
  });

  test('a request of the client goes below the path of baseUrl', async () => {
    await using server = await misbehave(lookup);
    await quickClient(`${server.url}/signals/`).domain('example.com');
    assert.equal(server.seen[0]?.url, '/signals/domain/example.com');
  });

  test('a request of the client has only those query parameters that were given, lists with commas', async () => {
    await using server = await misbehave(lookup);
    const wait = ['domain_age_in_days', 'domain_authority'];
    await quickClient(server.url).domain('example.com', { include_mx: false, explain: undefined, wait });
    const { search } = new URL(server.seen[0]?.url ?? '', server.url);
    assert.deepEqual(
      [...new URLSearchParams(search)],
      [
        ['include_mx', 'false'],
        ['wait', wait.join()],
      ],
    );
  });

  test('a request of the client has its body as JSON', async () => {
    await using server = await misbehave(decision);
    await quickClient(server.url).gates.decide('g', { email: 'jane@example.com', ip: '203.0.113.7' });
    const [request] = server.seen;
    assert.deepEqual([request?.method, request?.url], ['POST', '/v1/gates/g/decisions']);
    assert.equal(request?.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(request?.body ?? ''), { email: 'jane@example.com', ip: '203.0.113.7' });
  });
});

describe('withResponse', () => {
  const answers = json({ data: [], operators: [], meta: { next_cursor: null } }, 200, {
    'x-request-id': '01K',
    'x-ratelimit-remaining': '7',
  });

  test('withResponse resolves with the result, the raw response and the request id', async () => {
    await using server = await misbehave(answers);
    const { gates } = quickClient(server.url);
    for (const call of [gates.rules.list('g'), gates.fields(), gates.decisions.list('g')]) {
      const { data, response, requestId } = await call.withResponse();
      assert.deepEqual(data, await call);
      assert.deepEqual([response.status, response.headers.get('x-ratelimit-remaining'), requestId], [200, '7', '01K']);
    }
  });

  test('withResponse rejects like the call, and the failure is not reported a second time as unhandled', async () => {
    await using server = await misbehave(json({ error: 'unauthorized', message: '' }, 401));
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const client = quickClient(server.url);
    await thrownBy(client.status().withResponse(), AuthenticationError);
    await thrownBy(client.gates.get('g').withResponse(), AuthenticationError);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
  });

  test('withResponse of a decision made for an outage has no response', async () => {
    await using server = await misbehave(json({}, 503, { 'x-request-id': '01K' }));
    const call = quickClient(server.url).gates.decide('g', { email: 'jane@example.com' }, { failOpen: 'block' });
    const { data, response, requestId } = await call.withResponse();
    assert.deepEqual([data.decision.action, response, requestId], ['block', null, '01K']);
  });
});

describe('a value in a path', () => {
  const encoded: readonly (readonly [string, string])[] = [
    ['jane+tag@example.com', '/email/jane%2Btag%40example.com'],
    ['a/b?c#d@example.com', '/email/a%2Fb%3Fc%23d%40example.com'],
    ['jörg@bücher.example', '/email/j%C3%B6rg%40b%C3%BCcher.example'],
    ['../status', '/email/..%2Fstatus'],
    ['%2e%2e', '/email/%252e%252e'],
  ];
  for (const [value, url] of encoded) {
    test(`the path value ${value} stays in its place`, async () => {
      await using server = await misbehave(lookup);
      await quickClient(server.url).email(value);
      assert.equal(server.seen[0]?.url, url);
    });
  }
  for (const value of ['', '.', '..', '\ud800']) {
    test(`the path value ${JSON.stringify(value)} is refused before anything is sent`, async () => {
      await using server = await misbehave(json({}));
      const client = quickClient(server.url);
      await thrownBy(client.email(value), BadRequestError);
      await thrownBy(client.gates.rules.delete('g', value), BadRequestError);
      assert.equal(server.seen.length, 0);
    });
  }
});

describe('a client is not made', () => {
  const baseUrl = 'http://127.0.0.1:8080';
  const apiKey = 'sp_dev_test';
  const wrong: readonly (readonly [string, ConstructorParameters<typeof Signalpost>[0], RegExp])[] = [
    ['without a key', { apiKey: undefined, baseUrl }, /apiKey is missing/],
    ['with an empty key', { apiKey: '', baseUrl }, /apiKey is missing/],
    ['with a key that ends in a line break', { apiKey: 'sp_dev_test\n', baseUrl }, /apiKey has a blank/],
    ['without a base URL', { apiKey, baseUrl: undefined }, /baseUrl must be a URL/],
    ['with a path for a base URL', { apiKey, baseUrl: '/api' }, /baseUrl must be a URL/],
    ['with a base URL of another kind', { apiKey, baseUrl: 'file:///etc' }, /http/],
    ['with a query in the base URL', { apiKey, baseUrl: `${baseUrl}?a=b` }, /no user name, query/],
    ['without attempts', { apiKey, baseUrl, maxAttempts: 0 }, /maxAttempts/],
    ['without time', { apiKey, baseUrl, timeoutMs: Number.NaN }, /timeoutMs/],
  ];
  for (const [name, settings, message] of wrong) {
    test(`a client is not made ${name}`, () => {
      assert.throws(() => new Signalpost(settings), { name: 'TypeError', message });
    });
  }
});
