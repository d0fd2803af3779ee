import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type CompiledQuery, sql } from 'kysely';
import { describeEngines } from '../../test/engines.ts';
import { type Db, openDatabase } from './db.ts';
import { type PassedRow, type RowsParameter, rowsParameter } from './rows.ts';
import { withParameters } from './with-parameters.ts';

const columns = { name: 'text', count: 'integer', at: 'bigint', enabled: 'boolean' } as const;
type Row = PassedRow<typeof columns>;

await describeEngines('rows passed as one parameter', (fresh) => {
  let db: Db;
  let passed: RowsParameter<typeof columns>;
  let select: CompiledQuery;
  before(async () => {
    db = await openDatabase(await fresh());
    passed = rowsParameter(db, columns);
    select = sql`select name, count, at, enabled from ${passed.table()} passed order by position`.compile(db.read);
  });
  after(() => db.close());

  /** What a statement that was compiled once reads. */
  const read = async (rows: readonly Row[]) =>
    (await db.read.executeQuery(withParameters(select, passed.encode(rows)))).rows;
  const named = (name: string | null): Row => ({ name, count: 0, at: 0, enabled: false });

  it('reads every type of column, and null in any of them', async () => {
    const rows = [
      { name: 'one', count: -1, at: 1_790_000_000_000, enabled: true },
      { name: null, count: null, at: null, enabled: null },
    ];
    assert.deepEqual(await read(rows), [
      { name: 'one', count: -1, at: 1_790_000_000_000, enabled: 1 },
      { name: null, count: null, at: null, enabled: null },
    ]);
  });

  it('reads no rows from an empty list', async () => {
    assert.deepEqual(await read([]), []);
  });

  it('keeps integers exact up to the largest safe one', async () => {
    const rows = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER].map((at) => ({ ...named('x'), at }));
    assert.deepEqual(
      (await read(rows)).map((row) => (row as Row).at),
      [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
    );
  });

  it('keeps text as it is: Unicode, quotes, control characters, numbers and JSON in text', async () => {
    const texts = ['', 'ü€😀', `it's "quoted" \\ \n\t\u0001`, '007', 'null', 'true', '["a"]', '{"b":1}'];
    assert.deepEqual(
      (await read(texts.map(named))).map((row) => (row as Row).name),
      texts,
    );
  });

  it('replaces half a surrogate pair, which no UTF-8 text can hold', async () => {
    assert.deepEqual(
      (await read([named('a\ud83d')])).map((row) => (row as Row).name),
      ['a\ufffd'],
    );
  });

  it('numbers rows from 0 in the order they were passed', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `name ${(index * 7) % 300}`);
    const query = sql<{
      name: string;
      position: number;
    }>`select name, position from ${passed.table(names.map(named))} passed
      order by position`;
    const { rows } = await query.execute(db.read);
    assert.deepEqual(
      rows,
      names.map((name, position) => ({ name, position })),
    );
  });
});
