import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { describeEngines } from '../../test/engines.ts';
import { type DatabaseOptions, type Db, openDatabase } from './db.ts';
import { allMigrations } from './migrations/all.ts';
import { lockRows } from './row-locks.ts';
import type { Schema } from './schema.ts';
import { isUniqueViolation } from './storage-errors.ts';

await describeEngines('the database', (fresh) => {
  let options: DatabaseOptions;
  let db: Db;
  beforeEach(async () => {
    options = await fresh();
    db = await openDatabase(options);
  });
  afterEach(() => db.close());

  const settings = () => db.read.selectFrom('settings').selectAll().orderBy('name').execute();
  const set = (trx: Transaction<Schema>, name: string, value = 'x') =>
    trx.insertInto('settings').values({ name, value }).execute();

  test('the database keeps what a transaction committed, also after it is opened again', async () => {
    const answer = await db.transaction(async (trx) => {
      await set(trx, 'a');
      return 42;
    });
    assert.equal(answer, 42);
    assert.deepEqual(await settings(), [{ name: 'a', value: 'x' }]);
    await db.close();
    db = await openDatabase(options);
    assert.deepEqual(await settings(), [{ name: 'a', value: 'x' }]);
  });

  test('the database reads the last commit immediately, also while a longer read sees an earlier state', async () => {
    const query = db.read.selectFrom('settings').select('name').orderBy('name').compile();
    await db.transaction((trx) => set(trx, 'a'));
    assert.deepEqual(await db.readCompiled(query), [{ name: 'a' }]);
    await db.read
      .transaction()
      .execute(async (trx) => {
        await trx.selectFrom('settings').select('name').execute();
        await db.transaction((other) => set(other, 'b'));
        const reading = db.readCompiled(query);
        // A short read must not join the longer one, whose end it would wait for.
        return { reading };
      })
      .then(async ({ reading }) => assert.deepEqual(await reading, [{ name: 'a' }, { name: 'b' }]));
  });

  test('a snapshot reads the database as it was at its first query, and rejects writes', async () => {
    await db.transaction((trx) => set(trx, 'a'));
    const seen = await db.snapshot(async (trx) => {
      await trx.selectFrom('settings').select('name').execute();
      await db.transaction((other) => set(other, 'b'));
      return trx.selectFrom('settings').select('name').execute();
    });
    assert.deepEqual(seen, [{ name: 'a' }]);
    await assert.rejects(db.snapshot((trx) => set(trx, 'c')));
  });

  test('a row that a transaction locked is changed by another one only after it has ended', async () => {
    await db.transaction((trx) => set(trx, 'a', '1'));
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
    const first = db.transaction(async (trx) => {
      const query = trx.selectFrom('settings').select('value').where('name', '=', 'a');
      const { value } = await lockRows(db, query, 'update').executeTakeFirstOrThrow();
      locked();
      for (let i = 0; i < 20; i += 1) await turn();
      await trx
        .updateTable('settings')
        .set({ value: `${value}2` })
        .where('name', '=', 'a')
        .execute();
    });
    await isLocked;
    await db.transaction((trx) => trx.updateTable('settings').set({ value: sql`value || '3'` }).execute());
    await first;
    assert.deepEqual(await settings(), [{ name: 'a', value: '123' }]);
  });

  test('a failed synchronous read of the database rejects', async () => {
    const query = sql`select nothing from nowhere`.compile(db.read);
    await assert.rejects(async () => db.readCompiled(query));
  });

  test('the database keeps nothing of a transaction that threw, and throws the same error', async () => {
    const failure = new Error('no');
    const work = db.transaction(async (trx) => {
      await set(trx, 'a');
      throw failure;
    });
    await assert.rejects(work, (error) => error === failure);
    assert.deepEqual(await settings(), []);
    await db.transaction((trx) => set(trx, 'b'));
    assert.deepEqual(await settings(), [{ name: 'b', value: 'x' }]);
  });

  test('the database keeps interleaved awaited transactions apart', async () => {
    const failing = db.transaction(async (trx) => {
      await set(trx, 'lost-1');
      for (let i = 0; i < 5; i += 1) await turn();
      await set(trx, 'lost-2');
      throw new Error('no');
    });
    const working = db.transaction(async (trx) => {
      await set(trx, 'kept-1');
      for (let i = 0; i < 10; i += 1) await turn();
      await set(trx, 'kept-2');
    });
    const single = db.write.insertInto('settings').values({ name: 'kept-3', value: 'x' }).execute();
    await Promise.allSettled([failing, working, single]);
    assert.deepEqual(
      (await settings()).map((row) => row.name),
      ['kept-1', 'kept-2', 'kept-3'],
    );
  });

  test('the database counts exactly under many concurrent increments', async () => {
    const increment = () =>
      db.write
        .insertInto('usage')
        .values({ account_id: 'a', cycle_start: 0, used: 1 })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'cycle_start']).doUpdateSet((row) => ({ used: row('usage.used', '+', 1) })),
        )
        .returning('used')
        .executeTakeFirstOrThrow();
    const answers = await Promise.all(Array.from({ length: 50 }, increment));
    assert.deepEqual(
      answers.map((row) => row.used).sort((a, b) => a - b),
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  test('the database does not show a reader what is not committed', async () => {
    await db.transaction(async (trx) => {
      await set(trx, 'a');
      assert.deepEqual(await settings(), []);
    });
    assert.equal((await settings()).length, 1);
  });

  test('the database recognises a taken key and no other error as a unique violation', async () => {
    await db.transaction((trx) => set(trx, 'a'));
    const again = db.write.insertInto('settings').values({ name: 'a', value: 'y' }).execute();
    await assert.rejects(again, (error) => isUniqueViolation(error));
    const nothing = sql`insert into settings (name) values ('b')`.execute(db.write);
    await assert.rejects(nothing, (error) => !isUniqueViolation(error));
  });

  test('the database refuses a key of an account that is not there', async () => {
    const orphan = { id: 'k', account_id: 'none', environment: 'production', name: null, hash: 'h' };
    const insert = db.write
      .insertInto('keys')
      .values({ ...orphan, prefix: 'p', last4: '1234', created_at: 1, revoked_at: null });
    await assert.rejects(insert.execute(), (error) => !isUniqueViolation(error));
  });

  test('the database gives big integers, counts and sums as numbers', async () => {
    const used = Number.MAX_SAFE_INTEGER - 1;
    const now = 1_794_709_445_571;
    await db.write
      .insertInto('usage')
      .values([
        { account_id: 'a', cycle_start: now, used },
        { account_id: 'a', cycle_start: -now, used: 1 },
      ])
      .execute();
    const row = await db.read
      .selectFrom('usage')
      .select((row) => [
        row.fn.countAll().as('count'),
        row.fn.sum('used').as('sum'),
        row.fn.max('cycle_start').as('max'),
      ])
      .executeTakeFirstOrThrow();
    assert.deepEqual(row, { count: 2, sum: Number.MAX_SAFE_INTEGER, max: now });
  });

  test('the database says how many rows a statement changed', async () => {
    for (const name of ['a', 'b', 'c']) await db.transaction((trx) => set(trx, name));
    const update = await db.write
      .updateTable('settings')
      .set({ value: 'z' })
      .where('name', '!=', 'c')
      .executeTakeFirst();
    assert.equal(update.numUpdatedRows, 2n);
    assert.equal((await db.write.deleteFrom('settings').executeTakeFirst()).numDeletedRows, 3n);
  });

  test('the database stores text unchanged', async () => {
    const value = 'ünïcode 😀 \' " \\ % ; -- \n';
    await db.transaction((trx) => set(trx, 'text', value));
    assert.equal((await settings())[0]?.value, value);
  });

  test('the database answers a ping', async () => {
    await db.ping();
  });

  test('the database refuses a database of a newer version and changes nothing in it', async () => {
    await db.write.insertInto('migrations').values({ id: '9999-from-the-future', applied_at: 1 }).execute();
    await db.write.deleteFrom('migrations').where('id', '!=', '9999-from-the-future').execute();
    await assert.rejects(openDatabase(options), /newer version.*9999-from-the-future/);
    assert.deepEqual(await db.read.selectFrom('migrations').select('id').execute(), [{ id: '9999-from-the-future' }]);
  });
});

await describeEngines('an empty database', (_, empty) => {
  test('an empty database is migrated once by several openers at the same time', async () => {
    const options = await empty();
    const opened = await Promise.all([1, 2, 3, 4].map(() => openDatabase(options)));
    for (const db of opened) {
      const rows = await db.read.selectFrom('migrations').select('id').orderBy('id').execute();
      assert.deepEqual(
        rows,
        allMigrations.map(({ id }) => ({ id })),
      );
    }
    await Promise.all(opened.map((db) => db.close()));
  });
});
