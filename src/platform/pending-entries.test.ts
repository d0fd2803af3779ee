import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPendingByKey, createPendingQueue, DirtyList } from './pending-entries.ts';

describe('createPendingQueue', () => {
  it('returns entries in the order of arrival, put-back ones first', () => {
    const queue = createPendingQueue<number>();
    for (const entry of [1, 2, 3]) queue.add(entry);
    const taken = queue.take(2) ?? [];
    queue.add(4);
    queue.putBack(taken);
    assert.deepEqual([queue.size(), queue.take(9), queue.take(9)], [4, [1, 2, 3, 4], null]);
  });

  it('rejects entries beyond its bound', () => {
    const queue = createPendingQueue<number>(1);
    assert.deepEqual([queue.add(1), queue.add(2), queue.size()], [true, false, 1]);
  });
});

describe('createPendingByKey', () => {
  const start = (max?: number) => createPendingByKey<{ key: string; value: number }>(({ key }) => key, max);

  it('keeps the newest entry per key, also when an older one is put back', () => {
    const entries = start();
    entries.add({ key: 'a', value: 1 });
    entries.add({ key: 'a', value: 2 });
    const taken = entries.take(9) ?? [];
    assert.deepEqual(taken, [{ key: 'a', value: 2 }]);
    entries.add({ key: 'a', value: 3 });
    entries.putBack(taken);
    assert.deepEqual(entries.take(9), [{ key: 'a', value: 3 }]);
  });

  it('rejects new keys beyond its bound and still replaces known ones', () => {
    const entries = start(1);
    const added = [
      { key: 'a', value: 1 },
      { key: 'b', value: 1 },
      { key: 'a', value: 2 },
    ].map(entries.add);
    assert.deepEqual([added, entries.take(9)], [[true, false, true], [{ key: 'a', value: 2 }]]);
  });

  it('removes unwanted entries', () => {
    const entries = start();
    for (const key of ['a', 'b']) entries.add({ key, value: 1 });
    entries.removeIf(({ key }) => key === 'a');
    assert.deepEqual(entries.take(9), [{ key: 'b', value: 1 }]);
  });
});

describe('DirtyList', () => {
  it('lists an object once until it is taken', () => {
    const list = new DirtyList<{ isDirty: boolean }>();
    const [one, other] = [{ isDirty: false }, { isDirty: false }];
    for (const entry of [one, other, one]) list.add(entry);
    assert.deepEqual(list.take(1), [one]);
    assert.deepEqual([one.isDirty, other.isDirty], [false, true]);
    list.add(one);
    assert.equal(list.size(), 2);
    const rest = list.take(9) ?? [];
    list.add(one);
    list.putBack(rest);
    assert.equal(list.size(), 2);
    assert.equal(list.take(0)?.length, 0);
  });
});
