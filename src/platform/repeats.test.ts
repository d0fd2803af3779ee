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
  const settle = () => {
    for (const _ of repeats.settle(1_000));
  };
  return { counted, repeats, settle };
}

describe('pairs that repeat', () => {
  it('pairs that repeat are counted, and told as the first until they are handed over', () => {
    const { counted, repeats, settle } = open();
    const [a, b, x] = [named('a'), named('b'), named('x')];
    assert.deepEqual([repeats.count(a, x), repeats.count(b, x), repeats.count(a, x)], [true, true, false]);
    assert.deepEqual(counted, {});
    settle();
    assert.deepEqual(counted, { 'a x': 2, 'b x': 1 });
    assert.equal(repeats.count(a, x), true);
    settle();
    assert.deepEqual(counted, { 'a x': 3, 'b x': 1 });
  });

  it('pairs that repeat are handed over some at a time, and go on being counted in between', () => {
    const { counted, repeats, settle } = open();
    const x = named('x');
    const ones = Array.from({ length: 50 }, (_, index) => named(`${index}`));
    const countAll = () => {
      for (const one of ones) repeats.count(one, x);
    };
    countAll();
    let rounds = 0;
    for (const _ of repeats.settle(10)) {
      rounds += 1;
      countAll();
    }
    settle();
    assert.ok(rounds > 1);
    assert.deepEqual(Object.values(counted), Array(50).fill(1 + rounds));
  });

  it('pairs that repeat are all handed over when somebody has done so, also those that another began with', () => {
    const { counted, repeats, settle } = open();
    const x = named('x');
    const ones = Array.from({ length: 50 }, (_, index) => named(`${index}`));
    for (const one of ones) repeats.count(one, x);
    const begun = repeats.settle(10);
    begun.next();
    settle();
    assert.equal(Object.keys(counted).length, 50);
    for (const one of ones) repeats.count(one, x);
    assert.equal(begun.next().done, true);
    settle();
    assert.ok(Object.values(counted).every((times) => times === 2));
  });

  it('pairs that repeat are counted exactly when so many come while others are handed over that the table grows', () => {
    const { counted, repeats, settle } = open();
    const x = named('x');
    const ones = Array.from({ length: 3_000 }, (_, index) => named(`${index}`));
    for (const one of ones.slice(0, 400)) repeats.count(one, x);
    let rounds = 0;
    for (const _ of repeats.settle(100)) {
      rounds += 1;
      for (const one of ones) repeats.count(one, x);
    }
    settle();
    assert.ok(rounds > 0);
    assert.deepEqual(
      ones.map(({ name }) => counted[`${name} x`]),
      ones.map((_, index) => (index < 400 ? 1 + rounds : rounds)),
    );
  });

  it('pairs that repeat and share a place are counted beside each other while there are few', () => {
    const { counted, repeats, settle } = open();
    const [a, b, x] = [named('a', 7), named('b', 7), named('x', 9)];
    const told = [a, b, a, b].map((one) => repeats.count(one, x));
    assert.deepEqual(told, [true, true, false, false]);
    settle();
    assert.deepEqual(counted, { 'a x': 2, 'b x': 2 });
  });

  it('pairs that repeat and share a place make room for each other when there are many, the rarest first, and none is lost', () => {
    const { counted, repeats, settle } = open();
    const [rare, ...often] = ['rare', 'a', 'b', 'c', 'd', 'e'].map((name) => named(name, 7));
    const x = named('x', 9);
    for (const one of [...often.slice(0, 3), rare, ...often.slice(0, 3), ...often.slice(3)]) {
      if (one !== undefined) repeats.count(one, x);
    }
    assert.deepEqual(counted, { 'rare x': 1, 'd x': 1 });
    settle();
    assert.deepEqual(counted, { 'rare x': 1, 'a x': 2, 'b x': 2, 'c x': 2, 'd x': 1, 'e x': 1 });
  });

  it('pairs that repeat are counted exactly, however many there are', () => {
    const { counted, repeats, settle } = open();
    const ones = Array.from({ length: 300 }, (_, index) => named(`one-${index}`));
    const others = Array.from({ length: 300 }, (_, index) => named(`other-${index}`));
    for (let round = 0; round < 2; round += 1) {
      for (const one of ones) for (const other of others) repeats.count(one, other);
    }
    settle();
    assert.equal(Object.keys(counted).length, 90_000);
    assert.ok(Object.values(counted).every((times) => times === 2));
  });
});
