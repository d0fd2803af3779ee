import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../test/eventually.ts';
import { AnswerError, BadRequestError, ServerError } from '../src/index.ts';
import { quickClient, thrownBy } from './client.ts';
import { type Behaviour, empty, json, misbehave } from './misbehaving-server.ts';

/** A list of three pages with numbers. */
const numbered: Behaviour = (response, request) => {
  const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
  const body = {
    data: [{ domain: `a${page}.example` }, { domain: `b${page}.example` }],
    links: { next: page < 3 ? '/blocklist' : null },
    meta: { current_page: page },
  };
  json(body)(response, request);
};

/** A list of three pages with cursors. */
const withCursors: Behaviour = (response, request) => {
  const at = Number(new URL(request.url, 'http://x').searchParams.get('cursor') ?? 1);
  json({ data: [{ id: `g${at}` }], meta: { next_cursor: at < 3 ? `${at + 1}` : null } })(response, request);
};

const queries = (seen: readonly { url: string }[]) => seen.map(({ url }) => url.split('?')[1] ?? '');

test('a list with page numbers is read to its end, each time it is gone through [C13]', async () => {
  await using server = await misbehave(numbered);
  const list = quickClient(server.url).blocklist.list({ per_page: 2 });
  for (let round = 0; round < 2; round += 1) {
    const domains = (await Array.fromAsync(list)).map(({ domain }) => domain[0]).join('');
    assert.equal(domains, 'ababab');
  }
  const [first, second, third, ...again] = queries(server.seen);
  assert.deepEqual([first, second, third], ['per_page=2', 'per_page=2&page=2', 'per_page=2&page=3']);
  assert.equal(again.length, 2);
});

test('a list with cursors is read to its end, each time it is gone through, its filter kept [C13]', async () => {
  await using server = await misbehave(withCursors);
  const list = quickClient(server.url).gates.decisions.list('g', { action: 'block' });
  for (let round = 0; round < 2; round += 1) {
    const ids = (await Array.fromAsync(list)).map(({ id }) => id);
    assert.deepEqual(ids, ['g1', 'g2', 'g3']);
  }
  assert.deepEqual(queries(server.seen).slice(0, 3), [
    'action=block',
    'action=block&cursor=2',
    'action=block&cursor=3',
  ]);
});

test('a list that is awaited is its one page', async () => {
  await using server = await misbehave(numbered);
  const page = await quickClient(server.url).blocklist.list({ page: 2 });
  assert.equal(page.data[0]?.domain, 'a2.example');
  assert.equal(server.seen.length, 1);
});

test('a list that is left early asks for no further page', async () => {
  await using server = await misbehave(withCursors);
  for await (const gate of quickClient(server.url).gates.list()) {
    assert.equal(gate.id, 'g1');
    break;
  }
  assert.equal(server.seen.length, 1);
});

test('a list that names the same cursor again is not followed for ever', async () => {
  await using server = await misbehave(json({ data: [{ id: 'g' }], meta: { next_cursor: 'again' } }));
  await thrownBy(Array.fromAsync(quickClient(server.url).gates.list()), AnswerError);
  assert.equal(server.seen.length, 2);
});

test('a first page that fails before the list is iterated rejects the iteration', async () => {
  await using server = await misbehave(empty(400));
  const list = quickClient(server.url).gates.list();
  await eventually(async () => assert.equal(server.seen.length, 1));
  await new Promise(setImmediate);
  await thrownBy(Array.fromAsync(list), BadRequestError);
});

test('a page that fails for good ends the list with its error', async () => {
  await using server = await misbehave(numbered, empty(503));
  await thrownBy(Array.fromAsync(quickClient(server.url).blocklist.list()), ServerError);
  assert.equal(server.seen.length, 4);
});
