import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generateKey } from '../src/accounts/key-text/key-format.ts';
import { openDatabase } from '../src/db/db.ts';
import { temporaryDirectory } from './engines.ts';
import { eventually } from './eventually.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { blockDomain, gateClient } from './gate-client.ts';
import type { Response } from './inject.ts';
import { untilChangesAreApplied, untilServedFromMemory } from './served-from-memory.ts';
import { missingService, postgresServer, postgresUrl } from './services.ts';
import { type StartedApp, startApp } from './start-app.ts';

const skip = await missingService(postgresServer);
const lookupsMeanwhile = 300;

for (const fault of ['refused', 'silent'] as const) {
  describe(`a service whose PostgreSQL becomes ${fault} under load`, { skip }, () => {
    let url: string;
    let line: FaultyProxy;
    let started: StartedApp;
    let gate: string;
    /** Domains whose addition was answered with 201, and all attempted ones. */
    const acknowledged: string[] = [];
    const tried: string[] = [];
    before(async () => {
      url = await postgresUrl(10);
      line = await startFaultyProxy(url);
      // With a stopped clock: memory is trusted for a minute, and a busy machine may need longer for the outage.
      started = await startApp({}, { database: { url: line.url, dataDir: temporaryDirectory() } });
      const client = gateClient(started);
      gate = (await client.createGate()).id;
      await client.addRule(gate, blockDomain('spam.example'));
      await started.request('POST', '/blocklist', {
        key: started.keys.production,
        body: { domain: 'spam.example' },
      });
      await untilChangesAreApplied(line);
      await untilServedFromMemory(line, 'blocklist', () => lookup('spam.example'));
      await untilServedFromMemory(line, '"gates"', decide);
    });
    after(async () => {
      await line.set('through');
      await started.close();
      line.close();
    });

    const lookup = (domain: string, key = started.keys.production) =>
      started.request<{ blocklisted?: boolean }>('GET', `/domain/${domain}`, { key });
    let decided = 0;
    const decide = async () => {
      const answer = await gateClient(started).call<{ decision: { action: string } }>(
        'POST',
        `/v1/gates/${gate}/decisions`,
        { domain: 'spam.example' },
      );
      decided += answer.status === 200 ? 1 : 0;
      return answer;
    };
    /** Adds to another list than the one that lookups use: a list that has just changed and cannot be read answers 503. */
    const add = async (domain: string) => {
      tried.push(domain);
      const answer = await started.request('POST', '/blocklist', { key: started.keys.staging, body: { domain } });
      if (answer.status === 201) acknowledged.push(domain);
      return answer;
    };
    const used = async () => {
      const { json } = await started.request<{ usage: { current: number } }>('GET', '/status', {
        key: started.keys.production,
      });
      return json.usage.current;
    };
    const isUnavailable = ({ status, headers, text }: Response) => {
      assert.equal(status, 503, text);
      assert.equal(headers['retry-after'], undefined);
    };
    let usedBefore: number;

    it(`a service whose PostgreSQL becomes ${fault} under load answers pending and new writes only with 503 [Q40]`, async () => {
      usedBefore = await used();
      const inProgress = Array.from({ length: 20 }, (_, index) => add(`under-way-${index}.example`));
      await line.set(fault);
      for (const answer of await Promise.all(inProgress)) if (answer.status !== 201) isUnavailable(answer);
      const later = await Promise.all(Array.from({ length: 30 }, (_, index) => add(`later-${index}.example`)));
      for (const answer of later) isUnavailable(answer);
    });

    it(`a service whose PostgreSQL becomes ${fault} under load answers requests with a key that is not in memory, and readiness, with 503`, async () => {
      const answers = await Promise.all([
        lookup('example.com', generateKey('production')),
        lookup('example.com', started.keys.development),
        started.request('GET', '/readyz'),
      ]);
      for (const answer of answers) isUnavailable(answer);
      assert.equal((await started.request('GET', '/healthz')).status, 200);
    });

    it(`a service whose PostgreSQL becomes ${fault} under load answers a malformed key with 401, without storage`, async () => {
      assert.equal((await lookup('example.com', 'sp_prd_0000000000000000000000000000')).status, 401);
    });

    it(`a service whose PostgreSQL becomes ${fault} under load serves lookups, decisions and status from memory [Q41]`, async () => {
      for (let count = 0; count < lookupsMeanwhile; count += 1) {
        const { status, json } = await lookup(count % 2 === 0 ? 'spam.example' : `other-${count}.example`);
        assert.deepEqual([status, json.blocklisted], [200, count % 2 === 0]);
      }
      const { status, json } = await decide();
      assert.deepEqual([status, json.decision.action], [200, 'block']);
      assert.equal(await used(), usedBefore + lookupsMeanwhile + 1);
    });

    it(`a service whose PostgreSQL becomes ${fault} under load recovers with it, and has lost nothing acknowledged or counted [Q42]`, async () => {
      await line.set('through');
      await eventually(async () => assert.equal((await started.request('GET', '/readyz')).status, 200));
      await eventually(async () => assert.equal((await add('after.example')).status, 201));
      assert.equal((await lookup('after.example', started.keys.staging)).json.blocklisted, true);
      assert.equal((await lookup('example.com', generateKey('production'))).status, 401);
      const db = await openDatabase({ url, dataDir: temporaryDirectory() });
      const listed = await db.read
        .selectFrom('blocklist_entries')
        .select('domain')
        .where('domain', '!=', 'spam.example')
        .execute();
      const domains = listed.map(({ domain }) => domain);
      assert.deepEqual(
        acknowledged.filter((domain) => !domains.includes(domain)),
        [],
        'acknowledged and lost',
      );
      assert.ok(domains.every((domain) => tried.includes(domain)));
      // The lookup of `after.example` is the last charged one.
      await eventually(async () => {
        const row = await db.read.selectFrom('usage').select('used').executeTakeFirst();
        assert.equal(row?.used, usedBefore + lookupsMeanwhile + 2);
      });
      await eventually(async () => {
        assert.equal((await db.read.selectFrom('decisions').select('id').execute()).length, decided);
      });
      await db.close();
    });
  });
}
