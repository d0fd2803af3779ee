import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startDownloadServer } from '../download-server.ts';
import { eventually } from '../eventually.ts';
import { realClock, type StartedApp, startApp } from '../start-app.ts';
import { type Browser, signedIn } from './browser.ts';

const calls = [
  ['GET', '/lists'],
  ['GET', '/lists/refresh'],
  ['GET', '/lists/named/example.com'],
  ['POST', '/lists/refresh'],
  ['GET', '/lists/entries/disposable'],
  ['POST', '/lists/entries/disposable'],
  ['DELETE', '/lists/entries/disposable'],
] as const;

describe('lists in the console', () => {
  let started: StartedApp;
  let operator: Browser;
  before(async () => {
    started = await startApp();
    operator = await signedIn(started, { role: 'operator' });
  });
  after(() => started.close());
  const change = (method: 'POST' | 'DELETE', domains: readonly string[], list = 'disposable') =>
    operator.call(method, `/lists/entries/${list}`, { body: { domains } });

  it('lists in the console are for operators only, for every method', async () => {
    const member = await signedIn(started);
    for (const [method, path] of calls) {
      const { status, json } = await member.call(
        method,
        path,
        method === 'GET' ? {} : { body: { domains: ['a.example'] } },
      );
      assert.deepEqual([status, json.error], [403, 'operator_only'], path);
    }
  });

  it('lists in the console show age, size and sources, and late downloads', async () => {
    const { status, json } = await operator.call<{
      counts: { entries: number };
      sources: { alone: number | null }[];
      downloads: { source: string; late: boolean | null; every_hours: number }[];
      offline: boolean;
    }>('GET', '/lists');
    assert.equal(status, 200);
    assert.ok(json.counts.entries > 1_000 && json.sources.length > 3);
    assert.ok(json.sources.some(({ alone }) => alone !== null && alone > 0));
    assert.equal(json.offline, true);
    assert.ok(json.downloads.every(({ late, every_hours }) => late === null && every_hours >= 24));
  });

  it('lists in the console say who names a domain, with the entry, the edition and since when', async () => {
    await change('POST', ['own.example'], 'spam');
    interface Named {
      readonly domain: string;
      readonly since: string;
      readonly named_by: readonly Readonly<Record<string, string | null>>[];
    }
    const ours = await operator.call<Named>('GET', '/lists/named/x.OWN.example');
    assert.deepEqual(
      [ours.status, ours.json.domain, ours.json.named_by],
      [
        200,
        'x.own.example',
        [{ source: 'operator', says: 'spam', entry: 'own.example', date: null, first_seen: null, first_named: null }],
      ],
    );
    const { json } = await operator.call<Named>('GET', '/lists/named/gmail.com');
    assert.match(json.since, /^\d{4}-\d\d-\d\dT/);
    assert.ok(
      json.named_by.some(({ source, says, date }) => source === 'freemail' && says === 'public' && date !== null),
    );
    const { status, json: refused } = await operator.call<{ errors: object }>('GET', '/lists/named/no%20domain');
    assert.deepEqual([status, Object.keys(refused.errors)], [422, ['domain']]);
  });

  it('own entries of lists are added and removed in the console, apply immediately, and are audited', async () => {
    const disposable = async () =>
      (await operator.call<{ disposable: boolean }>('GET', '/production/domain/ours.example')).json.disposable;
    assert.equal(await disposable(), false);
    const added = await change('POST', ['Ours.example', 'other.example']);
    assert.deepEqual(added.json, { list: 'disposable', added: ['ours.example', 'other.example'], unchanged: [] });
    assert.equal(await disposable(), true);
    const { json } = await operator.call('GET', '/lists/entries/disposable');
    assert.deepEqual(json, { list: 'disposable', total: 2, entries: ['other.example', 'ours.example'] });
    const removed = await change('DELETE', ['ours.example', 'absent.example']);
    assert.deepEqual(removed.json, { list: 'disposable', removed: ['ours.example'], unchanged: ['absent.example'] });
    assert.equal(await disposable(), false);
    const trail = await started.db.read.selectFrom('audit').select('action').where('actor_kind', '=', 'user').execute();
    assert.ok(['list.added', 'list.removed'].every((action) => trail.some((row) => row.action === action)));
  });

  it('lists in the console accept all entries or none, and name the invalid ones', async () => {
    const { status, json } = await change('POST', ['fine.example', 'no name', 'duckdns.org']);
    assert.deepEqual([status, Object.keys(json.errors as object)], [422, ['domains.1', 'domains.2']]);
    const { entries } = (await operator.call<{ entries: string[] }>('GET', '/lists/entries/disposable')).json;
    assert.ok(!entries.includes('fine.example'));
  });

  it('unknown lists, and the hashed addresses, are not found in the console', async () => {
    for (const list of ['addresses', 'nothing', '..%2f..%2fetc', 'constructor'])
      for (const [method, body] of [['GET'], ['POST', { domains: ['a.example'] }]] as const)
        assert.equal((await operator.call(method, `/lists/entries/${list}`, body ? { body } : {})).status, 404, list);
  });

  it('lists in the console are not refreshed offline, and an unknown source is rejected', async () => {
    const { status, json } = await operator.call('POST', '/lists/refresh', { body: {} });
    assert.deepEqual([status, Object.keys(json.errors as object)], [422, ['sources']]);
    const progress = (await operator.call('GET', '/lists/refresh')).json;
    assert.deepEqual([progress.running, progress.started_at, progress.total], [false, null, 0]);
  });
});

describe('a refresh from the console', () => {
  it('a refresh from the console reports its progress and each source’s result; a second request joins it', async () => {
    const publisher = await startDownloadServer();
    const { origin } = publisher;
    publisher.serve('/tor', '192.0.2.1\n192.0.2.2\n');
    const started = await startApp(
      { OFFLINE: 'false', OUTBOUND_ALLOW: origin, DNS_SERVERS: '127.0.0.1:9' },
      { clock: realClock() },
    );
    try {
      const folder = join(started.config.dataDir, 'lists');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'refresh.json'), `{"tor-exits": {"url": "${origin}/tor"}}`);
      const operator = await signedIn(started, { role: 'operator' });
      const wrong = await operator.call('POST', '/lists/refresh', { body: { sources: ['nothing'] } });
      assert.equal(wrong.status, 422);
      const body = { sources: ['tor-exits'] };
      const begun = await operator.call('POST', '/lists/refresh', { body });
      assert.deepEqual([begun.status, begun.json.running, begun.json.total], [202, true, 1]);
      assert.equal((await operator.call('POST', '/lists/refresh', { body })).status, 202);
      await eventually(async () => {
        const { json } = await operator.call('GET', '/lists/refresh');
        assert.equal(json.running, false);
        assert.deepEqual(json.results, [
          { source: 'tor-exits', result: 'updated', count: 2, reason: null, added: null, removed: null },
        ]);
        assert.deepEqual([json.done, json.error, json.current], [1, null, null]);
      }, 60_000);
    } finally {
      await started.close();
      await publisher.close();
    }
  });
});
