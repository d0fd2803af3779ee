import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describeEngines } from '../../test/engines.ts';
import { type Db, openDatabase } from './db.ts';
import { removeBefore } from './remove-before.ts';

const old = 1_300;
const counted = { lookups: 1, disposable: 0, relay: 0, no_mail: 0, not_found_out: 0, peak: 1 };

async function fill(db: Db): Promise<void> {
  const rows = Array.from({ length: old + 1 }, (_, index) => {
    return { account_id: `account-${index}`, environment: 'production', hour: index === 0 ? 2_000 : 1_999, ...counted };
  });
  for (let start = 0; start < rows.length; start += 500) {
    const some = rows.slice(start, start + 500);
    await db.write.insertInto('lookup_counts').values(some).execute();
  }
}

async function hoursLeft(db: Db): Promise<number[]> {
  const rows = await db.read.selectFrom('lookup_counts').select('hour').execute();
  return rows.map(({ hour }) => hour);
}

await describeEngines('removing old rows', (fresh) => {
  it('removing old rows takes all of before the moment, some at a time, and none from then on', async (context) => {
    const db = await openDatabase(await fresh());
    context.after(() => db.close());
    await fill(db);
    let isDone = false;
    const removal = removeBefore(db, 'lookup_counts', 'hour', 2_000).finally(() => {
      isDone = true;
    });
    const seen = new Set<number>();
    while (!isDone) {
      seen.add((await hoursLeft(db)).length);
      await nextTurn();
    }
    await removal;
    assert.deepEqual(await hoursLeft(db), [2_000]);
    // PostgreSQL may be done before it is asked again.
    if (db.engine === 'sqlite') assert.ok(seen.has(old + 1 - 500), `only ${[...seen].join(', ')} rows were seen`);
  });
});
