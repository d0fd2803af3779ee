import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { type Db, openDatabase } from './db.ts';
import { readByKey } from './read-by-key.ts';

await describeEngines('rows read by a key', (fresh) => {
  let db: Db;
  let queries = 0;
  /** Both have two rows, and a name that a list of names could be broken with. */
  const odd = 'odd", \\ {} \' name';
  before(async () => {
    db = await openDatabase(await fresh());
    const rows = ['plain', odd].flatMap((id) =>
      [1, 2].map((cycle_start) => ({ account_id: id, cycle_start, used: 7 })),
    );
    await db.write.insertInto('usage').values(rows).execute();
  });
  after(() => db.close());
  const reader = () => {
    queries = 0;
    const counting: Db = {
      ...db,
      readCompiled(query) {
        queries += 1;
        return db.readCompiled(query);
      },
    };
    return readByKey(
      counting,
      (key) => db.read.selectFrom('usage').selectAll().where('account_id', '=', key).orderBy('cycle_start', 'desc'),
      (row) => row.account_id,
    );
  };
  const expected = (id: string) => [2, 1].map((cycle_start) => ({ account_id: id, cycle_start, used: 7 }));

  it('rows read by a key are all rows with this key, in the order of the query', async () => {
    const read = reader();
    for (const id of ['plain', odd]) assert.deepEqual(await read(id), expected(id));
  });

  it('rows read by a key are none when no row has it', async () => {
    const read = reader();
    for (const id of ['nobody', '', '{plain}', 'plain,nobody']) assert.deepEqual(await read(id), []);
  });

  it('concurrent reads by key share one PostgreSQL query, and each caller gets its own rows', async () => {
    const read = reader();
    const asked = [odd, 'nobody', 'plain', odd];
    const found = await Promise.all(asked.map((id) => read(id)));
    assert.deepEqual(found, [expected(odd), [], expected('plain'), expected(odd)]);
    assert.equal(queries, db.engine === 'postgres' ? 1 : 4);
  });
});
