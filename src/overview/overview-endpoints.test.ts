import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { describeEngines } from '../../test/engines.ts';
import { blockDomain, gateClient } from '../../test/gate-client.ts';
import { injectRaw } from '../../test/inject.ts';
import { type Browser, signedIn } from '../../test/session-api/browser.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';
import { createAuditStore } from '../audit/audit-store.ts';
import { createLookupCountsStore, keptDomains } from './lookup-counts-store.ts';

interface WireOverview {
  readonly range: { readonly name: string };
  readonly usage: { readonly current: number; readonly limit: number; readonly remaining: number };
  readonly throughput: { readonly limit: number; readonly peak: number | null };
  readonly decisions: readonly { readonly at: string; readonly allow: number; readonly block: number }[];
  readonly lookups: readonly { readonly at: string; readonly lookups: number; readonly disposable: number }[];
  readonly shares: Readonly<Record<string, number | null>>;
  readonly top_domains: readonly { readonly domain: string; readonly lookups: number }[];
  readonly top_rules: readonly { readonly name: string; readonly matches: number; readonly gate: object }[];
  readonly changes: readonly {
    readonly action: string;
    readonly name: string | null;
    readonly by: { readonly kind: string } | null;
    readonly rules: readonly object[];
    readonly count: number | null;
  }[];
}

const nowMs = Date.UTC(2026, 10, 15, 14, 20);
const hourMs = 3_600_000;

await describeEngines('the overview', (fresh) => {
  let started: StartedApp;
  let browser: Browser;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs });
    browser = await signedIn(started);
  });
  after(() => started.close());

  const overview = async (query = '', from: Browser = browser, environment = 'production'): Promise<WireOverview> => {
    const { status, json, text } = await from.call<{ data: WireOverview }>('GET', `/${environment}/overview${query}`);
    assert.equal(status, 200, text);
    return json.data;
  };
  const look = (path: string) => started.request('GET', path, { key: started.keys.production });

  describe('200', () => {
    it('without activity, has every bucket, no shares and no peak', async () => {
      // Full hours, and the current one in addition.
      for (const [range, buckets] of [
        ['24h', 25],
        ['7d', 169],
        ['30d', 721],
      ] as const) {
        const empty = await overview(`?range=${range}`, browser, 'staging');
        assert.equal(empty.range.name, range);
        assert.deepEqual([empty.lookups.length, empty.decisions.length], [buckets, buckets]);
        assert.deepEqual(empty.shares, { disposable: null, relay: null, no_mail: null, unknown: null });
        assert.deepEqual([empty.throughput.peak, empty.top_domains, empty.top_rules], [null, [], []]);
      }
      assert.equal((await overview('', browser, 'staging')).range.name, '7d');
    });

    it('counts lookups by result and decisions by action, and shows the most requested domains', async () => {
      await look('/email/joe%40mailinator.com');
      await look('/domain/mailinator.com');
      await look('/domain/gmail.com');
      await look('/domain/no%20domain');
      started.clock.advance(hourMs);
      await look('/email/jane%40gmail.com');
      const client = gateClient(started);
      const gate = await client.createGate({ rules: [blockDomain('example.com')], preset: undefined });
      await client.decide(gate.id, { domain: 'example.com' });
      await client.decide(gate.id, { domain: 'example.org' });
      const { lookups, decisions, shares, top_domains, top_rules, throughput, usage } = await overview('?range=24h');
      assert.deepEqual(
        lookups.slice(-2).map(({ at, lookups: count, disposable }) => [at, count, disposable]),
        [
          ['2026-11-15T14:00:00+00:00', 3, 2],
          ['2026-11-15T15:00:00+00:00', 1, 0],
        ],
      );
      assert.deepEqual(decisions.at(-1), { at: '2026-11-15T15:00:00+00:00', allow: 1, block: 1, challenge: 0 });
      // The service is offline here.
      assert.deepEqual(shares, { disposable: 0.5, relay: 0, no_mail: 0, unknown: 1 });
      assert.deepEqual(top_domains, [
        { domain: 'gmail.com', lookups: 2 },
        { domain: 'mailinator.com', lookups: 2 },
      ]);
      const gateName = { id: gate.id, name: gate.name };
      assert.deepEqual(top_rules, [{ gate: gateName, id: gate.rules[0]?.id, name: 'No example.com', matches: 1 }]);
      assert.equal(throughput.peak, 3);
      assert.equal(usage.current, 6);
      const month = await overview('?range=30d');
      assert.deepEqual(month.top_rules, top_rules);
      assert.deepEqual([month.lookups.at(-1)?.lookups, month.decisions.at(-1)?.block], [1, 1]);
    });

    it('still counts the decisions of a removed gate', async () => {
      const client = gateClient(started);
      const sum = async () =>
        (await overview('?range=30d')).decisions.reduce((all, { allow, block }) => all + allow + block, 0);
      const before = await sum();
      const gate = await client.createGate();
      await client.decide(gate.id, { domain: 'gone.example' });
      assert.equal(await sum(), before + 1);
      const path = `/v1/gates/${gate.id}`;
      assert.equal((await started.request('DELETE', path, { key: started.keys.production })).status, 204);
      assert.equal(await sum(), before + 1);
    });

    it('lists what changed in the environment and in the lists of every account, even after many blocklist changes', async () => {
      const environment = 'development';
      const key = started.keys[environment];
      const change = async (method: 'POST' | 'PATCH', path: string, body: object) => {
        started.clock.advance(1_000);
        const { status, json } = await started.request<{ data: { id: string } }>(method, path, { key, body });
        assert.ok(status < 300);
        return json.data;
      };
      const gate = await change('POST', '/v1/gates', { name: 'Changed', rules: [] });
      await change('POST', `/v1/gates/${gate.id}/rules`, blockDomain('example.com'));
      for (let count = 0; count < 25; count += 1) await change('POST', '/blocklist', { domain: `b${count}.example` });
      const refreshed = {
        action: 'list.refreshed',
        subject: 'lists',
        accountId: null,
        detail: { sources: ['a', 'b'] },
      };
      const service = { kind: 'service', id: 'refresh-lists', from: null } as const;
      await createAuditStore(started.db).record(service, refreshed, started.clock.now() + 1);
      const { changes } = await overview('?range=24h', browser, environment);
      const shown = changes.map(({ action, name, by, rules, count }) => [action, name, by?.kind, rules, count]);
      assert.deepEqual(shown.slice(0, 2), [
        ['list.refreshed', null, undefined, [], 2],
        ['blocklist.added', null, 'key', [], 1],
      ]);
      assert.equal(shown.filter(([action]) => action === 'blocklist.added').length, 20);
      assert.deepEqual(shown.slice(-2), [
        ['gate.changed', 'Changed', 'key', [{ name: 'No example.com', change: 'added' }], null],
        ['gate.created', 'Changed', 'key', [], null],
      ]);
      const { changes: elsewhere } = await overview('?range=24h', browser, 'staging');
      assert.deepEqual(
        elsewhere.map(({ action }) => action),
        ['list.refreshed'],
      );
    });

    it('is compressed for a client that accepts gzip', async () => {
      const url = '/console/api/production/overview?range=30d';
      const headers = { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' };
      const get = (more: Record<string, string>) =>
        injectRaw(started.app.server, { method: 'GET', url, headers: { ...headers, ...more } });
      const [plain, packed] = [await get({}), await get({ 'accept-encoding': 'gzip, br' })];
      assert.deepEqual([plain.headers['content-encoding'], packed.headers['content-encoding']], [undefined, 'gzip']);
      assert.deepEqual(JSON.parse(gunzipSync(packed.rawPayload).toString()), plain.json());
    });

    it('covers only its own account and environment', async () => {
      const other = await started.createAccount();
      const otherAccount = await signedIn(started, { accountId: other.id });
      for (const one of [await overview('', otherAccount), await overview('', browser, 'development')]) {
        assert.deepEqual([one.top_domains, one.top_rules, one.throughput.peak], [[], [], null]);
        assert.equal(
          [...one.lookups, ...one.decisions].every(
            (bucket) => !Object.values(bucket).some((value) => Number(value) > 0),
          ),
          true,
        );
      }
    });
  });

  it('422: an unknown range', async () => {
    const { status, json } = await browser.call<{ errors: object }>('GET', '/production/overview?range=1y');
    assert.deepEqual([status, Object.keys(json.errors)], [422, ['range']]);
  });

  it('404: a request with a key', async () => {
    assert.equal((await look('/overview')).status, 404);
  });

  it('adds up several owners and hours in one write, also when a domain is in two hours of a quarter day', async () => {
    const store = createLookupCountsStore(started.db);
    const owners = ['anna', 'ben'].map((accountId) => ({ accountId, environment: 'staging' }) as const);
    const counts = { lookups: 3, disposable: 1, relay: 0, noMail: 2, unknown: 0 };
    const thisHourMs = nowMs - (nowMs % hourMs);
    const hours = owners.flatMap((owner, index) => [
      { owner, hourMs: thisHourMs - hourMs, ...counts, peak: 2, topDomains: [["o'hara.example", 1] as const] },
      { owner, hourMs: thisHourMs, ...counts, peak: 1, topDomains: [["o'hara.example", index + 1] as const] },
    ]);
    await store.add(hours);
    await store.add(hours);
    for (const [index, owner] of owners.entries()) {
      const domains = await store.topDomains(owner, nowMs, 10);
      assert.deepEqual(domains, [{ domain: "o'hara.example", lookups: 2 * (index + 2) }]);
      const [first, second, ...none] = await store.buckets(owner, 0, hourMs);
      assert.deepEqual([first?.lookups, first?.disposable, first?.noMail, first?.peak], [6, 2, 4, 2]);
      assert.deepEqual([second?.lookups, second?.relay, second?.peak, none], [6, 0, 1, []]);
    }
  });

  it('keeps only the most requested of many domains, and removes all of them with their account', async () => {
    const store = createLookupCountsStore(started.db);
    const owner = { accountId: 'nobody', environment: 'production' } as const;
    const counts = { lookups: 1, disposable: 0, relay: 0, noMail: 0, unknown: 0, peak: 1 };
    for (let batch = 0; batch < 4; batch += 1) {
      const topDomains = Array.from({ length: 50 }, (_, index) => [`d${batch}-${index}.example`, batch + 1] as const);
      await store.add([{ owner, hourMs: nowMs - (nowMs % hourMs), ...counts, topDomains }]);
    }
    const kept = await store.topDomains(owner, nowMs, 1_000);
    assert.equal(kept.length, keptDomains);
    assert.deepEqual([kept[0]?.lookups, kept.at(-1)?.lookups], [4, 3]);
    assert.deepEqual(
      (await store.buckets(owner, 0, hourMs)).map(({ lookups, peak }) => [lookups, peak]),
      [[4, 1]],
    );
    await store.remove('nobody');
    assert.deepEqual(await store.topDomains(owner, 0, 10), []);
    assert.deepEqual(await store.buckets(owner, 0, hourMs), []);
  });
});
