import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { describeEngines } from '../../../test/engines.ts';
import { type Db, openDatabase } from '../../db/db.ts';
import { createCreditLeaseStore } from './credit-lease-store.ts';

await describeEngines('credit lease rows', (fresh) => {
  let db: Db;
  before(async () => {
    db = await openDatabase(await fresh());
  });
  after(() => db.close());

  /** Adds a trigger that drops the rows of one account. */
  const dropRowsOf = async (accountId: string): Promise<void> => {
    const statements =
      db.engine === 'postgres'
        ? [
            sql`create function leave_out() returns trigger language plpgsql as 'begin return null; end'`,
            sql`create trigger leave_out before insert on usage for each row
              when (new.account_id = ${sql.lit(accountId)}) execute function leave_out()`,
          ]
        : [
            sql`create trigger leave_out before insert on usage
              when new.account_id = ${sql.lit(accountId)} begin select raise(ignore); end`,
          ];
    await db.transaction(async (trx) => {
      for (const statement of statements) await statement.execute(trx);
    });
  };
  const granted = () => db.read.selectFrom('credit_leases').select('account_id').execute();

  it('no leases are granted when the database returns no total for one of the accounts', async () => {
    await dropRowsOf('lost');
    const leases = createCreditLeaseStore(db, 'process', Date.now);
    const request = (accountId: string) => {
      const spending = { accountId, startMs: 0, endMs: 1, limit: 100, spent: 0, granted: 0, written: 0 };
      return { spending, limit: 100, needed: 1 };
    };
    const both = leases.acquire([request('kept'), request('lost')]);
    await assert.rejects(both, /answered for 1 of 2 months, so no credits are granted/);
    assert.deepEqual(await granted(), []);
    await leases.acquire([request('kept')]);
    assert.deepEqual(await granted(), [{ account_id: 'kept' }]);
  });
});
