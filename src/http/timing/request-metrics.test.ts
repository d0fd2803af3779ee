import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { exchangeRaw } from '../../../test/raw-http.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../../test/test-server.ts';
import { stageNames } from './stage-times.ts';

async function serverFor(t: TestContext, options?: TestServerOptions): Promise<TestServer> {
  const made = await startTestServer(options);
  t.after(() => made.close());
  return made;
}

/** The count of each stage of an operation, as a scrape sees it. */
async function stageCounts(made: TestServer, operation: string): Promise<Readonly<Record<string, number>>> {
  const { text } = await made.request('GET', '/metrics');
  const pattern = new RegExp(
    `^signalpost_stage_seconds_count\\{operation="${operation}",stage="(\\w+)"\\} (\\d+)$`,
    'gm',
  );
  return Object.fromEntries(Array.from(text.matchAll(pattern), ([, stage, count]) => [stage, Number(count)]));
}

const sumOf = (text: string, metric: string, operation: string): number =>
  Array.from(
    text.matchAll(new RegExp(`^${metric}_sum\\{operation="${operation}"[^}]*\\} (\\S+)$`, 'gm')),
    ([, value]) => Number(value),
  ).reduce((sum, value) => sum + value, 0);

describe('the stages of a request', () => {
  it('the stages of a request add up to its duration', async (t) => {
    const made = await serverFor(t);
    const key = await made.createKey();
    await made.request('GET', '/domain/example.com', { key });
    await made.request('GET', '/domain/missing', { key });
    const { text } = await made.request('GET', '/metrics');
    const stages = sumOf(text, 'signalpost_stage_seconds', 'testLookup');
    const total = sumOf(text, 'signalpost_request_duration_seconds', 'testLookup');
    assert.ok(total > 0);
    assert.ok(Math.abs(stages - total) < 1e-9, `${stages} and ${total}`);
  });

  it('the stages of a request include those in which it waited', async (t) => {
    const made = await serverFor(t);
    const key = await made.createKey();
    // The key is not cached yet, so its owner is read from the database.
    await made.request('GET', '/domain/example.com', { key });
    const first = { queue: 1, admit: 1, work: 1, answer: 1 };
    const counts = await stageCounts(made, 'testLookup');
    for (const [stage, count] of Object.entries(first)) assert.equal(counts[stage], count, stage);
  });

  it('the stages of a refused request end with the one that refused it', async (t) => {
    const made = await serverFor(t);
    await made.request('GET', '/domain/example.com', { key: 'sp_wrong' });
    assert.deepEqual(await stageCounts(made, 'testLookup'), { queue: 1, admit: 1, answer: 1 });
  });

  it('the stages of a request with a body include the time until the body was read', async (t) => {
    const made = await serverFor(t);
    const key = await made.createKey();
    await made.request('POST', '/v1/gates/a/decisions', { key, body: { domain: 'example.com' } });
    assert.equal((await stageCounts(made, 'testDecision')).body, 1);
  });

  it('the stages of a request whose body arrived with its head do not include the body', async (t) => {
    const made = await serverFor(t);
    const key = await made.createKey();
    const head = ['POST /v1/gates/a/decisions HTTP/1.1', 'Host: h', `Authorization: Bearer ${key}`];
    const bodies = [
      ['Content-Length: 24', '', '{"domain":"example.com"}'],
      ['Transfer-Encoding: chunked', '', '18', '{"domain":"example.com"}', '0', '', ''],
    ];
    const port = await made.listen();
    for (const body of bodies) {
      const { whole } = exchangeRaw(port, [...head, 'Connection: close', ...body].join('\r\n'));
      assert.match(await whole, /^HTTP\/1.1 200 OK/);
    }
    const { queue, body } = await stageCounts(made, 'testDecision');
    assert.deepEqual({ queue, body }, { queue: 2, body: undefined });
  });

  it('the stages of a request have names from a fixed set', async (t) => {
    const made = await serverFor(t);
    await made.request('GET', '/domain/example.com');
    const { text } = await made.request('GET', '/metrics');
    const names = new Set(Array.from(text.matchAll(/stage="(\w+)"/g), ([, name]) => name));
    assert.ok(names.size > 0);
    for (const name of names) assert.ok((stageNames as readonly (string | undefined)[]).includes(name), name);
  });
});

describe('the Server-Timing header', () => {
  it('the Server-Timing header is absent unless timings are asked for', async (t) => {
    const made = await serverFor(t);
    const { headers } = await made.request('GET', '/domain/example.com', { key: await made.createKey() });
    assert.equal(headers['server-timing'], undefined);
  });

  it('the Server-Timing header is on every response with an access log, a refusal included', async (t) => {
    const made = await serverFor(t, { accessLog: true });
    const key = await made.createKey();
    const answered = await made.request('GET', '/domain/example.com', { key });
    const duration = '\\d+(\\.\\d+)?';
    const expected = ['queue', 'admit', 'meter', 'work', 'total'].map((name) => `${name};dur=${duration}`).join(', ');
    assert.match(answered.headers['server-timing'] ?? '', new RegExp(`^${expected}$`));
    const refused = await made.request('GET', '/domain/example.com');
    assert.match(refused.headers['server-timing'] ?? '', /^queue;dur=\S+, admit;dur=\S+, total;dur=\S+$/);
  });
});
