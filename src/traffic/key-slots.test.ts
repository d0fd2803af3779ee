import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { form, KeySlots } from './key-slots.ts';
import type { Hash } from './keyed-hash.ts';

const half = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

/** Fills a table and returns the slots of the keys. */
const taken = (slots: KeySlots, keys: readonly Hash[]): number[] =>
  keys.map((key, index) => {
    const slot = slots.find(key);
    assert.ok(!slots.isUsed(slot), 'two keys share a slot');
    slots.take(slot, key, index + 1, index % 512);
    return slot;
  });

describe('key slots', () => {
  it('find every key again, in the same table and in a copy of another size', () => {
    const keys = fc.uniqueArray(fc.record({ hi: half, lo: half }), { maxLength: 300, selector: ({ hi }) => hi || 1 });
    fc.assert(
      fc.property(keys, (all) => {
        const slots = new KeySlots(all.length);
        const places = taken(slots, all);
        assert.deepEqual(
          all.map((key) => slots.find(key)),
          places,
        );
        const copy = new KeySlots(all.length * 2);
        for (const slot of places) copy.setValue(copy.takeFrom(slots, slot, 500), slots.value(slot));
        assert.equal(copy.used, all.length);
        for (const [index, key] of all.entries()) {
          assert.equal(copy.value(copy.find(key)), index + 1);
          assert.equal(copy.seen(copy.find(key)), 500);
        }
      }),
      { numRuns: 100, seed: 3 },
    );
  });

  it('tell keys apart that differ in the compared bits of the second half only', () => {
    const slots = new KeySlots(2);
    const [one, other] = [
      { hi: 9, lo: 0 },
      { hi: 9, lo: 0x800 },
    ] as const;
    taken(slots, [one, other]);
    assert.deepEqual(
      [one, other].map((key) => slots.value(slots.find(key))),
      [1, 2],
    );
  });

  it('change the form and the bucket of a key without the rest', () => {
    const slots = new KeySlots(1);
    const key = { hi: -1, lo: -1 };
    const [slot = -1] = taken(slots, [key]);
    slots.setForm(slot, form.large);
    slots.setSeen(slot, 511);
    slots.setValue(slot, -7);
    assert.deepEqual(
      [slots.find(key), slots.form(slot), slots.seen(slot), slots.value(slot)],
      [slot, form.large, 511, -7],
    );
  });

  it('are full before the last slot is used, so that a search always ends', () => {
    const slots = new KeySlots(10);
    let used = 0;
    for (; !slots.isFull; used += 1) taken(slots, [{ hi: used + 1, lo: 0 }]);
    assert.ok(used >= 10 && used < slots.capacity, `${used} of ${slots.capacity}`);
  });
});
