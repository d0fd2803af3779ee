import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from './engines.ts';
import { until } from './eventually.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { untilChangesAreApplied, untilServedFromMemory } from './served-from-memory.ts';
import { missingService, postgresServer, postgresUrl } from './services.ts';
import { type StartedApp, startApp } from './start-app.ts';

const skip = await missingService(postgresServer);
const calls = [
  ['GET', '/blocklist'],
  ['POST', '/blocklist', { domain: 'new.example' }],
  ['POST', '/blocklist/bulk', { domains: ['new.example'] }],
  ['GET', '/blocklist/spam.example'],
  ['DELETE', '/blocklist/spam.example'],
] as const;

for (const fault of ['refused', 'silent'] as const) {
  describe(`the blocklist while PostgreSQL is ${fault}`, { skip }, () => {
    let line: FaultyProxy;
    let started: StartedApp;
    before(async () => {
      line = await startFaultyProxy(await postgresUrl(10));
      started = await startApp({}, { database: { url: line.url, dataDir: temporaryDirectory() } });
      for (const key of [started.keys.production, started.keys.staging]) {
        await started.request('POST', '/blocklist', { key, body: { domain: 'spam.example' } });
      }
      // From here on, memory holds production's key and list, but only the key of staging.
      await untilChangesAreApplied(line);
      await untilServedFromMemory(line, 'blocklist', () => lookup(started.keys.production, 'spam.example'));
      await started.request('GET', '/status', { key: started.keys.staging });
      await line.set(fault);
    });
    after(async () => {
      await started.close();
      line.close();
    });
    const lookup = (key: string, domain: string) =>
      started.request<{ blocklisted?: boolean }>('GET', `/domain/${domain}`, { key });

    it(`the blocklist while PostgreSQL is ${fault} answers every endpoint with 503 and Retry-After`, async () => {
      const ask = async ([method, path, body]: (typeof calls)[number]) => {
        const answer = await started.request(method, path, {
          key: started.keys.production,
          ...(body === undefined ? {} : { body }),
        });
        assert.deepEqual([answer.status, answer.json], [503, { message: 'Service unavailable' }], `${method} ${path}`);
        assert.equal(answer.headers['retry-after'], undefined);
      };
      await Promise.all(calls.map(ask));
    });

    it(`the blocklist while PostgreSQL is ${fault} serves lookups from a list in memory`, async () => {
      assert.equal((await lookup(started.keys.production, 'spam.example')).json.blocklisted, true);
      assert.equal((await lookup(started.keys.production, 'other.example')).json.blocklisted, false);
    });

    it(`the blocklist while PostgreSQL is ${fault} answers lookups with 503 when the list is unknown, never with a guess [Q34]`, async () => {
      const answer = await lookup(started.keys.staging, 'spam.example');
      assert.deepEqual([answer.status, answer.json], [503, { status: 503, error: 'Service unavailable' }]);
      assert.equal(answer.headers['retry-after'], undefined);
    });

    it(`the blocklist while PostgreSQL is ${fault} recovers with every entry once storage is available`, async () => {
      await line.set('through');
      const { production, staging } = started.keys;
      await until(async () => (await lookup(staging, 'spam.example')).status === 200);
      assert.equal((await lookup(staging, 'spam.example')).json.blocklisted, true);
      const added = await started.request('POST', '/blocklist', { key: production, body: { domain: 'later.example' } });
      assert.equal(added.status, 201);
      assert.equal((await lookup(production, 'later.example')).json.blocklisted, true);
      const list = await started.request<{ data: { domain: string }[] }>('GET', '/blocklist', { key: production });
      assert.deepEqual(
        list.json.data.map(({ domain }) => domain),
        ['later.example', 'spam.example'],
      );
    });
  });
}
