import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeService } from '../../test/engines.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';
import { environments } from './key-text/key-format.ts';

await describeService('GET /status', (fresh) => {
  let started: StartedApp;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs: Date.UTC(2026, 10, 15, 0, 20) });
  });
  after(() => started.close());

  describe('200', () => {
    it('GET /status 200: returns the plan, the user and the usage [S3 S67 D20 D117 D118 D246]', async () => {
      const { keys } = await started.createAccount({ plan: 'pro-200k' });
      const { status, json, headers } = await started.request('GET', '/status', { key: keys.production });
      assert.equal(status, 200);
      assert.match(headers['content-type'] ?? '', /^application\/json/);
      assert.deepEqual(json, {
        status: 'success',
        account: {
          plan: { name: 'Pro 200K', credits: 200_000, requests: 200_000, rate_limit: 15 },
          user: { name: 'Jane Doe', email: 'jane@example.com' },
        },
        usage: { limit: 200_000, current: 0, remaining: 200_000, reset_at: '2026-12-15T00:00:00+00:00' },
      });
    });

    it('GET /status 200: returns the account of the key and ignores account parameters [S9 S89 D23]', async () => {
      const { keys } = await started.createAccount({ plan: 'pro-200k' });
      for (const environment of environments) {
        const { json } = await started.request<{ account: { plan: { name: string }; environment?: string } }>(
          'GET',
          `/status?environment=production&account=${started.first.id}`,
          { key: keys[environment] },
        );
        assert.deepEqual([json.account.plan.name, json.account.environment], ['Pro 200K', undefined]);
      }
    });

    it('a stopping service writes all used credits', async () => {
      const before = await startApp({}, { database: await fresh() });
      for (let count = 0; count < 3; count += 1) {
        const { status } = await before.request('GET', '/domain/example.com', { key: before.keys.production });
        assert.equal(status, 200);
      }
      await before.app.close();
      const rows = await before.db.read.selectFrom('usage').select('used').execute();
      assert.deepEqual(rows, [{ used: 3 }]);
      await before.db.close();
    });

    it('GET /status 200: gives the first account the plan self-hosted [D42]', async () => {
      const { json } = await started.request<{ account: { plan: object } }>('GET', '/status', {
        key: started.keys.production,
      });
      assert.deepEqual(json.account.plan, {
        name: 'Self-hosted',
        credits: 1_000_000_000,
        requests: 1_000_000_000,
        rate_limit: 1_000_000,
      });
    });
  });

  describe('401', () => {
    it('GET /status 401: rejects a missing key and a wrong key with the same response [D69 D120]', async () => {
      const body = { status: 401, error: 'Unauthorized' };
      for (const options of [{}, { key: 'a-key-that-nobody-has' }, { key: 'sp_prd_nonsense' }]) {
        const { status, json } = await started.request('GET', '/status', options);
        assert.equal(status, 401);
        assert.deepEqual(json, body);
      }
    });
  });

  describe('429', () => {
    it("GET /status 429: rejects requests above the plan's requests a second [D38]", async () => {
      const { keys } = await started.createAccount({ plan: 'free' });
      const first = await started.request('GET', '/status', { key: keys.production });
      const second = await started.request('GET', '/status', { key: keys.staging });
      assert.equal(first.status, 200);
      assert.equal(second.status, 429);
      assert.deepEqual(second.json, { status: 429, error: 'Too many requests' });
      assert.equal(second.headers['retry-after'], '1');
      started.clock.advance(1_000);
      assert.equal((await started.request('GET', '/status', { key: keys.staging })).status, 200);
    });
  });
});
