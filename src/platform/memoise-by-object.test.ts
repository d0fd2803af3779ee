import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoiseByObject } from './memoise-by-object.ts';

describe('memoiseByObject', () => {
  it('makes a value once per object, from the first argument', () => {
    const textOf = memoiseByObject((owner: { name: string }, given: number) => `${owner.name} ${given}`);
    const [one, other] = [{ name: 'one' }, { name: 'other' }];
    assert.deepEqual([textOf(one, 1), textOf(one, 2), textOf(other, 3)], ['one 1', 'one 1', 'other 3']);
  });

  it('keeps one value per function, hidden from the properties of the object', () => {
    const upper = memoiseByObject(({ name }: { name: string }) => name.toUpperCase());
    const pair = memoiseByObject(({ name }: { name: string }) => [name, name]);
    const owner = { name: 'one' };
    assert.deepEqual([upper(owner), pair(owner)], ['ONE', ['one', 'one']]);
    assert.equal(pair(owner), pair(owner));
    assert.deepEqual(Object.entries(owner), [['name', 'one']]);
  });
});
