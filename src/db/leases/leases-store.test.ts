import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeEngines } from '../../../test/engines.ts';
import { eventually } from '../../../test/eventually.ts';
import { openDatabase } from '../db.ts';
import { createLeases } from './leases-store.ts';

await describeEngines('a lease on work', (fresh) => {
  it('a lease on work is of one holder, who may take it again, until it is given up', async () => {
    const db = await openDatabase(await fresh());
    const [one, other] = [createLeases(db, 'work_leases', 'one'), createLeases(db, 'work_leases', 'other')];
    const taken = await Promise.all([one.take('download', 60_000), other.take('download', 60_000)]);
    assert.deepEqual(taken.toSorted(), [false, true]);
    const [holder, second] = taken[0] ? [one, other] : [other, one];
    assert.deepEqual([await holder.take('download', 60_000), await second.take('download', 60_000)], [true, false]);
    assert.equal(await second.take('compare', 60_000), true);
    await second.end('download');
    assert.equal(await second.take('download', 60_000), false);
    await holder.end('download');
    assert.equal(await second.take('download', 60_000), true);
    await db.close();
  });

  it('a lease on work of a holder that died is free after its time', async () => {
    const db = await openDatabase(await fresh());
    assert.equal(await createLeases(db, 'work_leases', 'dead').take('download', 50), true);
    const other = createLeases(db, 'work_leases', 'other');
    await eventually(async () => assert.equal(await other.take('download', 60_000), true));
    await db.close();
  });

  it('a lease on work that is over is forgotten when leases are pruned, and one that is not stays', async () => {
    const db = await openDatabase(await fresh());
    const [dead, other] = [createLeases(db, 'fact_leases', 'dead'), createLeases(db, 'fact_leases', 'other')];
    await dead.take('over.example', 50);
    await dead.take('held.example', 60_000);
    await eventually(async () => {
      await other.prune();
      const rows = await db.read.selectFrom('fact_leases').select('name').execute();
      assert.deepEqual(rows, [{ name: 'held.example' }]);
    });
    await db.close();
  });
});
