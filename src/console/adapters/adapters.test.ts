import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { sqliteDatabase } from '../../../test/engines.ts';
import { tester } from '../../../test/tester.ts';
import { createAccounts } from '../../accounts/accounts.ts';
import { createAccountsStore } from '../../accounts/accounts-store.ts';
import type { Plan } from '../../accounts/plans.ts';
import { readConfig } from '../../config.ts';
import { type Db, openDatabase } from '../../db/db.ts';
import type { Shared } from '../../feature.ts';
import { consoleAccounts } from './accounts.ts';
import { consoleKeys } from './keys.ts';
import { refreshProgressFile } from './refresh-progress-file.ts';

const plan: Plan = { id: 'pro', name: 'Pro', pro: true, credits: 5, rateLimit: 1, blocklistEntries: 0 };
const plans = new Map([[plan.id, plan]]);
const nowMs = Date.UTC(2026, 10, 18);

describe('the adapters of the console', () => {
  const database = sqliteDatabase();
  let db: Db;
  let shared: Shared;
  let accountId: string;
  let otherId: string;
  let evicted: string[] = [];
  const evict = (id: string): void => {
    evicted.push(id);
  };
  before(async () => {
    db = await openDatabase(database);
    const config = readConfig({ DATA_DIR: database.dataDir });
    shared = { config, db, log: pino({ level: 'silent' }), now: () => nowMs, monotonicMs: () => 0 };
    const accounts = createAccounts(createAccountsStore(db), plans, shared.now, tester);
    accountId = (await accounts.create({ name: 'Jane', email: 'jane@example.com', planId: 'pro' })).id;
    otherId = (await accounts.create({ name: 'John', email: 'john@example.com', planId: 'pro' })).id;
  });
  after(async () => {
    await db.close();
    rmSync(database.dataDir, { recursive: true, force: true });
  });

  describe('of accounts', () => {
    it('read an account with its plan, and null for one that does not exist', async () => {
      const accounts = consoleAccounts(shared, plans, evict);
      assert.deepEqual((await accounts.read(accountId))?.plan, plan);
      assert.equal(await accounts.read('01ARZ3NDEKTSV4RRFFQ69G5FAV'), null);
      assert.equal(await accounts.caller('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'production'), null);
    });

    it('make a caller without a key, in the environment of the request', async () => {
      const caller = await consoleAccounts(shared, plans, evict).caller(accountId, 'staging');
      assert.deepEqual([caller?.accountId, caller?.environment, caller?.keyId], [accountId, 'staging', '']);
    });

    it('evict a changed account from the caches of this process', async () => {
      evicted = [];
      const changed = await consoleAccounts(shared, plans, evict).change(accountId, { name: 'New' }, tester);
      assert.equal(changed?.name, 'New');
      assert.deepEqual(evicted, [accountId]);
    });
  });

  describe('of keys', () => {
    it('revoke a key once, and evict its account only then', async () => {
      const keys = consoleKeys(shared, evict);
      const wanted = {
        accountId,
        environment: 'production',
        name: 'Web',
        expiresAtMs: null,
        publishable: null,
      } as const;
      const { record } = await keys.create(wanted, tester);
      evicted = [];
      assert.equal(await keys.revoke(record.id, accountId, tester), true);
      assert.equal(await keys.revoke(record.id, accountId, tester), false);
      assert.deepEqual(evicted, [accountId]);
    });

    it('neither list, rename nor revoke a key of another account', async () => {
      const keys = consoleKeys(shared, evict);
      const wanted = { accountId, environment: 'staging', name: 'Own', expiresAtMs: null, publishable: null } as const;
      const { record } = await keys.create(wanted, tester);
      assert.equal(await keys.rename(record.id, otherId, 'Taken', tester), null);
      assert.equal(await keys.revoke(record.id, otherId, tester), false);
      assert.deepEqual(await keys.list(otherId), []);
      const own = (await keys.list(accountId)).find(({ id }) => id === record.id);
      assert.deepEqual([own?.name, own?.revokedAtMs], ['Own', null]);
    });
  });

  describe('of the progress of a refresh', () => {
    const progress = { startedAtMs: 1, endedAtMs: null, total: 2, current: null, results: [], error: null };

    it('read what any process saved, with the time', () => {
      assert.equal(refreshProgressFile(shared).read(), null);
      refreshProgressFile(shared).save(progress);
      assert.deepEqual(refreshProgressFile(shared).read(), { progress, savedAtMs: nowMs });
    });

    it('read nothing from a damaged file, and fail no request', () => {
      const folder = join(database.dataDir, 'lists', 'refresh');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'progress.json'), '{"progress":');
      assert.equal(refreshProgressFile(shared).read(), null);
    });
  });
});
