import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDoorkeeper } from './doorkeeper.ts';

const names = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `name-${from + index}.com`);

describe('createDoorkeeper', () => {
  it('knows a text the second time, and not the first', () => {
    const isKnown = createDoorkeeper(1_000);
    assert.deepEqual(names(0, 3).map(isKnown), [false, false, false]);
    assert.deepEqual([...names(0, 3), 'name-3.com'].map(isKnown), [true, true, true, false]);
  });

  it('still knows most texts after as many others as its capacity', () => {
    const isKnown = createDoorkeeper(1_000);
    const first = names(0, 100);
    for (const name of [...first, ...names(100, 1_000)]) isKnown(name);
    assert.ok(first.filter(isKnown).length > 70);
  });

  it('forgets a text after many times as many others as its capacity', () => {
    const isKnown = createDoorkeeper(1_000);
    const first = names(0, 100);
    for (const name of [...first, ...names(100, 100_000)]) isKnown(name);
    assert.ok(first.filter(isKnown).length < 5);
  });
});
