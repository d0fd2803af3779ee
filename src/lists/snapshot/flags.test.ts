import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainLists, trustIn, trustShift, Verdict, verdictTrustShift } from './flags.ts';
import { verdict } from './verdict.ts';

test('no list shares a bit of a verdict with another list or with the trust score', () => {
  const bits = [
    ...Object.values(domainLists).map((list) => list.verdict),
    Verdict.known,
    Verdict.trusted,
    Verdict.allowed,
  ];
  assert.equal(new Set(bits).size, bits.length);
  for (const bit of bits) assert.ok(bit < 1 << verdictTrustShift && Number.isInteger(Math.log2(bit)));
});

test('the trust score of a verdict is read without the bits above it', () => {
  for (const trust of [1, 5])
    assert.equal(trustIn(verdict(trust << trustShift, 0) | (1 << (verdictTrustShift + 3))), trust);
  assert.equal(trustIn(verdict(0, 0)), null);
});
