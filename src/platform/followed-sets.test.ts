import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  createFollowedSets,
  type FollowedSet,
  type FollowedSets,
  type KeyChange,
  type SetHead,
  type SetSource,
} from './followed-sets.ts';
import { HashedSet } from './hashed-set.ts';

const forGood = Number.POSITIVE_INFINITY;

/** A stored set with its history. A read takes its result before it waits for `held`. */
class Stored implements SetSource<string, SetHead> {
  history: KeyChange[] = [];
  generation = 1;
  prunedThrough = 0;
  exists = true;
  reads: string[] = [];
  held: Promise<void> = Promise.resolve();

  change(key: string, untilMs: number): KeyChange {
    const change = { seq: this.history.length + 1, key, untilMs };
    this.history.push(change);
    return change;
  }
  present(): KeyChange[] {
    const last = new Map(this.history.map((change) => [change.key, change]));
    return [...last.values()].filter(({ untilMs }) => untilMs !== 0).sort((one, other) => one.seq - other.seq);
  }
  async answer<T>(read: string, value: T): Promise<T> {
    this.reads.push(read);
    await this.held;
    return value;
  }
  head() {
    const { generation, history } = this;
    return this.answer('head', this.exists ? { seq: history.length, total: this.present().length, generation } : null);
  }
  entriesAfter(_id: string, _head: SetHead, after: number, limit: number) {
    return this.answer(
      'entries',
      this.present()
        .filter(({ seq }) => seq > after)
        .slice(0, limit),
    );
  }
  changesAfter(_id: string, after: number, limit: number) {
    const changes = this.history.filter(({ seq }) => seq > after).slice(0, limit);
    return this.answer('changes', this.exists && this.prunedThrough <= after ? changes : null);
  }
}

describe('a followed set', () => {
  let stored: Stored;
  let sets: FollowedSets<string, SetHead, HashedSet>;
  let set: FollowedSet<string, HashedSet>;
  let errors: unknown[];
  const keys = (...texts: readonly string[]) => texts.map((text) => set.members?.has(text) ?? null);
  const start = (maxEntries = 10_000) => {
    sets = createFollowedSets<string, SetHead, HashedSet>({
      source: stored,
      create: () => new HashedSet(),
      none: null,
      maxEntries,
      onEvict(evicted) {
        evicted.members = null;
      },
      onError: (error) => errors.push(error),
    });
    set = sets.begin('a');
  };
  beforeEach(() => {
    stored = new Stored();
    errors = [];
    start();
  });

  test('is not current from the moment a change is expected until the change is read', async () => {
    stored.change('a', forGood);
    await sets.follow(set);
    assert.equal(set.done, set.wanted);
    stored.change('a', 0);
    sets.expectChange(set);
    assert.notEqual(set.done, set.wanted);
    await sets.follow(set);
    assert.deepEqual([set.done === set.wanted, ...keys('a')], [true, false]);
  });

  test('is not current when a change is expected while an older head is being read', async () => {
    await sets.follow(set);
    const { promise, resolve } = Promise.withResolvers<void>();
    stored.held = promise;
    sets.expectChange(set);
    // The head was taken before this change.
    stored.change('late', forGood);
    sets.expectChange(set);
    stored.held = Promise.resolve();
    resolve();
    await sets.follow(set);
    assert.deepEqual([set.done === set.wanted, ...keys('late')], [true, true]);
  });

  test('keeps newer changes of this process when a read that was in progress arrives', async () => {
    stored.change('a', forGood);
    await sets.follow(set);
    const added = stored.change('b', forGood);
    const { promise, resolve } = Promise.withResolvers<void>();
    sets.expectChange(set);
    // The read of the changes takes its result, with the addition alone, and then waits.
    stored.held = promise;
    while (stored.reads.at(-1) !== 'changes') await Promise.resolve();
    sets.changedHere(set, [added]);
    sets.changedHere(set, [stored.change('b', 0)]);
    resolve();
    await sets.follow(set);
    assert.deepEqual([set.seq, ...keys('a', 'b')], [3, true, false]);
  });

  test('forgets removed keys, whether the changes are read or all entries', async () => {
    stored.change('a', forGood);
    stored.change('b', forGood);
    await sets.follow(set);
    stored.change('a', 0);
    sets.expectChange(set);
    await sets.follow(set);
    assert.deepEqual(keys('a', 'b'), [false, true]);
    stored.change('b', 0);
    stored.prunedThrough = stored.history.length;
    sets.expectChange(set);
    await sets.follow(set);
    assert.deepEqual([...keys('a', 'b'), set.members?.size], [false, false, 0]);
  });

  test('applies changes of this process without a read, and rereads after a missing number', async () => {
    await sets.follow(set);
    const { length } = stored.reads;
    sets.changedHere(set, [stored.change('a', forGood)]);
    assert.deepEqual([...keys('a'), stored.reads.length], [true, length]);
    stored.change('elsewhere', forGood);
    sets.changedHere(set, [stored.change('a', 0)]);
    await sets.follow(set);
    assert.deepEqual(keys('a', 'elsewhere'), [false, true]);
  });

  test('reads only the head when nothing changed', async () => {
    await sets.follow(set);
    stored.reads = [];
    sets.expectChange(set);
    await sets.follow(set);
    assert.deepEqual(stored.reads, ['head']);
  });

  test('reads a set again that was removed and created with as many changes', async () => {
    stored.change('old', forGood);
    await sets.follow(set);
    stored.history = [];
    stored.generation = 2;
    stored.change('new', forGood);
    sets.expectChange(set);
    await sets.follow(set);
    assert.deepEqual(keys('old', 'new'), [false, true]);
    stored.exists = false;
    sets.expectChange(set);
    await sets.follow(set);
    assert.equal(set.members, null);
  });

  test('keeps the moment until which a key is in it', async () => {
    stored.change('a', 5);
    await sets.follow(set);
    assert.equal(set.members?.untilOf('a'), 5);
    sets.changedHere(set, [stored.change('a', forGood)]);
    assert.equal(set.members?.untilOf('a'), forGood);
  });

  test('is not loaded when it has more entries than all sets may have', async () => {
    for (let index = 0; index < 200; index += 1) stored.change(`k${index}`, forGood);
    start(200);
    await sets.follow(set);
    assert.deepEqual([set.members, set.isLoaded, stored.reads], [null, true, ['head']]);
  });

  test('reports changes that it could not read, and reads them with the next use', async () => {
    await sets.follow(set);
    stored.held = Promise.reject(new Error('unavailable'));
    stored.change('a', forGood);
    sets.expectChange(set);
    await assert.rejects(sets.follow(set), /unavailable/);
    assert.equal(errors.length, 1);
    stored.held = Promise.resolve();
    await sets.follow(set);
    assert.deepEqual(keys('a'), [true]);
  });
});
