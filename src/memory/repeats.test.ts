import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextMark, Repeats } from './repeats.ts';

interface Named {
  readonly name: string;
  readonly mark: number;
}
const named = (name: string, mark = nextMark()): Named => ({ name, mark });

function open() {
  const counted: Record<string, number> = {};
  const repeats = new Repeats<Named, Named>((one, other, times) => {
    const key = `${one.name} ${other.name}`;
    counted[key] = (counted[key] ?? 0) + times;
  });
  return { counted, repeats };
}

describe('pairs that repeat', () => {
  it('pairs that repeat are counted, and told as the first until they are handed over', () => {
    const { counted, repeats } = open();
    const [a, b, x] = [named('a'), named('b'), named('x')];
    assert.deepEqual([repeats.count(a, x), repeats.count(b, x), repeats.count(a, x)], [true, true, false]);
    assert.deepEqual(counted, {});
    repeats.settle();
    assert.deepEqual(counted, { 'a x': 2, 'b x': 1 });
    assert.equal(repeats.count(a, x), true);
    repeats.settle();
    assert.deepEqual(counted, { 'a x': 3, 'b x': 1 });
  });

  it('pairs that repeat are handed over alone when only theirs are wanted', () => {
    const { counted, repeats } = open();
    const [a, b, x] = [named('a'), named('b'), named('x')];
    for (const one of [a, b]) repeats.count(one, x);
    repeats.settle((one) => one === a);
    assert.deepEqual(counted, { 'a x': 1 });
    assert.equal(repeats.count(b, x), false);
    repeats.settle();
    assert.deepEqual(counted, { 'a x': 1, 'b x': 2 });
  });

  it('pairs that repeat and share a place make room for each other, and none is lost', () => {
    const { counted, repeats } = open();
    const [a, b, x] = [named('a', 7), named('b', 7), named('x', 9)];
    for (let round = 0; round < 3; round += 1) for (const one of [a, b]) repeats.count(one, x);
    repeats.settle();
    assert.deepEqual(counted, { 'a x': 3, 'b x': 3 });
  });

  it('pairs that repeat are counted exactly, however many there are', () => {
    const { counted, repeats } = open();
    const ones = Array.from({ length: 300 }, (_, index) => named(`one-${index}`));
    const others = Array.from({ length: 300 }, (_, index) => named(`other-${index}`));
    for (let round = 0; round < 2; round += 1) {
      for (const one of ones) for (const other of others) repeats.count(one, other);
    }
    repeats.settle();
    assert.equal(Object.keys(counted).length, 90_000);
    assert.ok(Object.values(counted).every((times) => times === 2));
  });
});
