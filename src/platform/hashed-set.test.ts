// Runs in its own process: it measures memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HashedSet } from './hashed-set.ts';

test('a hashed set gives the same results as a Map of strings after any additions and deletions', () => {
  // Few names, so that they repeat; every name is queried after each step.
  const names = Array.from({ length: 40 }, (_, index) => `d${index}.example`);
  const untilMs = fc.constantFrom(1, 2, Number.POSITIVE_INFINITY);
  const step = fc.record({ add: fc.boolean(), name: fc.constantFrom(...names), untilMs });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.nat(0xffffffff), (steps, seed) => {
      const set = new HashedSet({ seed });
      const model = new Map<string, number>();
      for (const { add, name, untilMs } of steps) {
        if (add) set.add(name, untilMs);
        else set.delete(name);
        if (add) model.set(name, untilMs);
        else model.delete(name);
        assert.equal(set.size, model.size);
        for (const asked of names) assert.equal(set.untilOf(`a.${asked}`, 2), model.get(asked) ?? 0);
      }
    }),
    { numRuns: 200 },
  );
});

test('a hashed set of 200,000 names contains each of them, none of 200,000 others, and no deleted ones', () => {
  const set = new HashedSet({ expected: 1_000 });
  const name = (index: number): string => `name-${index}.example.com`;
  for (let index = 0; index < 200_000; index += 1) set.add(name(index));
  assert.equal(set.size, 200_000);
  for (let index = 0; index < 200_000; index += 2) set.delete(name(index));
  assert.equal(set.size, 100_000);
  for (let index = 0; index < 400_000; index += 1) {
    assert.equal(set.has(name(index)), index < 200_000 && index % 2 === 1, name(index));
  }
});

test('a hashed set keeps a million names in less than 20 bytes each', () => {
  const bytesBefore = process.memoryUsage().arrayBuffers;
  const set = new HashedSet({ expected: 1_000_000 });
  const bytes = process.memoryUsage().arrayBuffers - bytesBefore;
  assert.ok(bytes > 8_000_000 && bytes < 20_000_000, `${bytes} bytes`);
  for (let index = 0; index < 1_000_000; index += 1) set.add(`name-${index}.example.com`);
  assert.equal(set.size, 1_000_000);
  assert.ok(process.memoryUsage().arrayBuffers - bytesBefore < 20_000_000);
});
