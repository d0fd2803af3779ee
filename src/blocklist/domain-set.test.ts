// Runs in its own process: it measures memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DomainSet } from './domain-set.ts';

test('a domain set gives the same results as a Set of strings after any additions and deletions', () => {
  // Few names, so that they repeat; every name is queried after each step.
  const names = Array.from({ length: 40 }, (_, index) => `d${index}.example`);
  const step = fc.record({ add: fc.boolean(), name: fc.constantFrom(...names) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.nat(0xffffffff), (steps, seed) => {
      const set = new DomainSet({ seed });
      const model = new Set<string>();
      for (const { add, name } of steps) {
        if (add) set.add(name);
        else set.delete(name);
        if (add) model.add(name);
        else model.delete(name);
        assert.equal(set.size, model.size);
        for (const asked of names) assert.equal(set.has(asked), model.has(asked));
      }
    }),
    { numRuns: 200 },
  );
});

test('a domain set of 200,000 names contains each of them, none of 200,000 others, and no deleted ones', () => {
  const set = new DomainSet({ expected: 1_000 });
  const name = (index: number): string => `name-${index}.example.com`;
  for (let index = 0; index < 200_000; index += 1) set.add(name(index));
  assert.equal(set.size, 200_000);
  for (let index = 0; index < 200_000; index += 2) set.delete(name(index));
  assert.equal(set.size, 100_000);
  for (let index = 0; index < 400_000; index += 1) {
    assert.equal(set.has(name(index)), index < 200_000 && index % 2 === 1, name(index));
  }
});

test('a domain set keeps a million names in less than 20 bytes each', () => {
  const bytesBefore = process.memoryUsage().arrayBuffers;
  const set = new DomainSet({ expected: 1_000_000 });
  const bytes = process.memoryUsage().arrayBuffers - bytesBefore;
  assert.ok(bytes > 8_000_000 && bytes < 20_000_000, `${bytes} bytes`);
  for (let index = 0; index < 1_000_000; index += 1) set.add(`name-${index}.example.com`);
  assert.equal(set.size, 1_000_000);
  assert.ok(process.memoryUsage().arrayBuffers - bytesBefore < 20_000_000);
});
