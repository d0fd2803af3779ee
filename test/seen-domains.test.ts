import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeService } from './engines.ts';
import { gateClient } from './gate-client.ts';
import { type StartedApp, startApp } from './start-app.ts';

const nowMs = Date.UTC(2026, 10, 15, 14);

await describeService('domains that an environment looks up and decides on', (fresh) => {
  let started: StartedApp;
  before(async () => {
    started = await startApp({ ANONYMOUS_PER_HOUR: '10' }, { database: await fresh(), nowMs });
  });
  after(() => started.db.close());

  it('seen domains are recorded with their day and flags, and without the address', async () => {
    const { keys } = started;
    await started.request('GET', '/email/jane.doe%40mailinator.com', { key: keys.production });
    await started.request('GET', '/domain/example.org', { key: keys.staging });
    await started.request('GET', '/domain/anonymous.example');
    const client = gateClient(started);
    const gate = await client.createGate({});
    await client.decide(gate.id, { email: 'jane.doe@mail.example.com' });
    await started.app.close();
    const rows = await started.db.read.selectFrom('seen_domains').selectAll().orderBy('name').execute();
    const day = Math.floor(nowMs / 86_400_000);
    assert.deepEqual(
      rows.map((row) => [row.day, row.name, row.account_id, row.environment, row.flagged]),
      [
        [day, 'com.example.mail', started.first.id, 'production', 0],
        [day, 'com.mailinator', started.first.id, 'production', 1],
        [day, 'org.example', started.first.id, 'staging', 0],
      ],
    );
  });

  it('seen domains are not recorded with SEEN_DOMAINS_DAYS=0', async () => {
    const off = await startApp({ SEEN_DOMAINS_DAYS: '0' }, { database: await fresh(), nowMs });
    await off.request('GET', '/domain/example.org', { key: off.keys.production });
    await off.app.close();
    assert.deepEqual(await off.db.read.selectFrom('seen_domains').selectAll().execute(), []);
    await off.db.close();
  });
});
