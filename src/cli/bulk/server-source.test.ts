import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { serverSource } from './server-source.ts';

type Answer = readonly [status: number, headers?: Record<string, string>, body?: string];

/** A server that gives these answers in turn, and then 200 for good; it keeps what it was asked. */
async function startServer(t: TestContext, answers: readonly Answer[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const [status, headers = {}, body = '{"disposable":true}'] = answers[asked.length] ?? [200];
    asked.push(request.url ?? '');
    response.writeHead(status, headers).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

const passing: readonly Answer[] = [
  [500],
  [502, {}, '<html>'],
  [503, {}, ''],
  [504],
  [429, { 'retry-after': '1' }],
  [429],
];

test('a server that fails or refuses for a while is retried until it answers', async (t) => {
  const { url, asked } = await startServer(t, passing);
  assert.deepEqual(await serverSource(url, 'key').ask(['a@b.com']), {
    answers: [{ disposable: true }],
    failure: undefined,
  });
  assert.equal(asked.length, passing.length + 1);
});

test('a server is queried once for equal addresses, and not for other texts', async (t) => {
  const { url, asked } = await startServer(t, []);
  const { answers } = await serverSource(url, 'key').ask(['a@b.com', 'x', 'a@b.com', 'a+c@b.com']);
  assert.deepEqual(answers, [{ disposable: true }, null, { disposable: true }, { disposable: true }]);
  assert.deepEqual(asked.toSorted(), ['/email/a%2Bc%40b.com', '/email/a%40b.com']);
});

test('bulk stops when a server keeps failing, and says why', async (t) => {
  const { url, asked } = await startServer(
    t,
    Array.from({ length: 10 }, () => [503]),
  );
  const { answers, failure } = await serverSource(url, 'key').ask(['a@b.com']);
  assert.deepEqual(answers, []);
  assert.match(String(failure), /answered 503, 6 times in a row/);
  assert.equal(asked.length, 6);
});

test('a page of something else, a redirect or a refusal by a proxy is no answer', async (t) => {
  const strange: readonly Answer[] = [
    [200, {}, '<html>'],
    [302, { location: '/elsewhere' }],
    [403, {}, 'no'],
  ];
  for (const answer of strange) {
    const { url } = await startServer(t, [answer]);
    const { failure } = await serverSource(url, 'key').ask(['a@b.com']);
    assert.match(String(failure), new RegExp(`answered ${answer[0]}, which is not an answer of Signalpost`));
  }
});
