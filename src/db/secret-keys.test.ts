import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { type Db, openDatabase } from './db.ts';
import { createSecretKeys, type SecretKeys } from './secret-keys.ts';
import { createWorkLeases } from './work-leases.ts';

await describeEngines('the SECRET_KEY of several processes', (fresh) => {
  let open: Db[];
  let process: (name: string, secretKey: string) => Promise<SecretKeys>;
  beforeEach(async () => {
    open = [];
    const options = await fresh();
    process = async (name, secretKey) => {
      const db = await openDatabase({ ...options, secretKey });
      open.push(db);
      return createSecretKeys(
        db,
        createWorkLeases(db, name, () => 0),
      );
    };
  });
  afterEach(async () => {
    for (const db of open) await db.close();
  });

  it('two processes with one key use one key', async () => {
    const [one, other] = [await process('one', 'the key of both'), await process('other', 'the key of both')];
    assert.deepEqual([await one.differ(), await other.differ(), await one.differ()], [false, false, false]);
  });

  it('two processes with a key each both know, until one stops', async () => {
    const [one, other] = [await process('one', 'the key of one'), await process('other', 'the other key')];
    assert.deepEqual([await one.differ(), await other.differ(), await one.differ()], [false, true, true]);
    await other.release();
    assert.equal(await one.differ(), false);
  });

  it('a killed process with another key counts no more when its lease is over', async () => {
    const [one, killed] = [await process('one', 'the key of one'), await process('killed', 'the key before')];
    await killed.differ();
    assert.equal(await one.differ(), true);
    await open[0]?.write.updateTable('work_leases').set({ ends_at: 1 }).where('holder', '=', 'killed').execute();
    assert.equal(await one.differ(), false);
    const names = await open[0]?.read.selectFrom('work_leases').select('name').execute();
    assert.equal(names?.length, 1);
  });
});
