import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { eventually } from '../../test/eventually.ts';
import { type Db, openDatabase } from './db.ts';
import { createWorkLeases, type WorkLeases } from './work-leases.ts';

await describeEngines('work leases', (fresh) => {
  let db: Db;
  let nowMs: number;
  let one: WorkLeases;
  let other: WorkLeases;
  beforeEach(async () => {
    db = await openDatabase(await fresh());
    nowMs = 0;
    [one, other] = [createWorkLeases(db, 'one', () => nowMs), createWorkLeases(db, 'other', () => nowMs)];
  });
  afterEach(() => db.close());

  it('a work lease has one holder, who may extend it, until it is released', async () => {
    const acquired = await Promise.all([one.acquire('download', 60_000), other.acquire('download', 60_000)]);
    assert.deepEqual(acquired.toSorted(), [false, true]);
    const [holder, second] = acquired[0] ? [one, other] : [other, one];
    assert.deepEqual(
      [await holder.acquire('download', 60_000), await second.acquire('download', 60_000)],
      [true, false],
    );
    assert.equal(await second.acquire('compare', 60_000), true);
    await second.release('download');
    assert.equal(await second.acquire('download', 60_000), false);
    await holder.release('download');
    assert.equal(await second.acquire('download', 60_000), true);
  });

  it('a work lease whose holder died is free when its time is over', async () => {
    assert.equal(await one.acquire('download', 50), true);
    await eventually(async () => assert.equal(await other.acquire('download', 60_000), true));
  });

  it('work is done while its lease is held, which is released when the work ends or throws', async () => {
    const outcomes: unknown[] = [];
    const done = await one.hold('compare', 60_000, async () => {
      outcomes.push(await other.hold('compare', 60_000, async () => assert.fail('done by two processes')));
    });
    assert.deepEqual([done, outcomes], [true, [false]]);
    const failing = other.hold('compare', 60_000, async () => {
      throw new Error('failed');
    });
    await assert.rejects(failing, /^Error: failed$/);
    assert.equal(await one.acquire('compare', 60_000), true);
  });

  it('renewing extends a lease only after a third of its time, and throws when another process holds it', async () => {
    const endsAt = async () => (await db.read.selectFrom('work_leases').select('ends_at').executeTakeFirst())?.ends_at;
    const work = one.hold('compare', 60_000, async (renew) => {
      const free = () => db.write.updateTable('work_leases').set({ ends_at: 1 }).execute();
      await free();
      await renew();
      assert.equal(await endsAt(), 1);
      nowMs += 20_000;
      await renew();
      assert.notEqual(await endsAt(), 1);
      await free();
      assert.equal(await other.acquire('compare', 60_000), true);
      nowMs += 20_000;
      await renew();
    });
    await assert.rejects(work, /another process acquired the lease "compare"/);
    assert.equal(await one.acquire('compare', 60_000), false);
  });
});
