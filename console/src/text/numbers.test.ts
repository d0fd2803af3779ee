import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counted, grouped, percent, short } from './numbers.ts';

describe('numbers in words', () => {
  it('numbers in words are grouped by thousands', () => assert.equal(grouped(1_248_320), '1,248,320'));

  it('numbers in words are percentages with one decimal below ten, and a tiny share is not zero', () => {
    const cases: readonly (readonly [number, string])[] = [
      [0, '0 %'],
      [0.000_1, '< 0.1 %'],
      [0.003, '0.3 %'],
      [0.041, '4.1 %'],
      [0.0999, '10 %'],
      [0.384, '38 %'],
      [1, '100 %'],
    ];
    for (const [part, text] of cases) assert.equal(percent(part), text);
  });

  it('numbers in words are short on axes', () => assert.equal(short(12_400), '12.4K'));

  it('numbers in words agree with their noun', () => {
    assert.deepEqual([counted(1, 'rule'), counted(2_000, 'entry', 'entries')], ['1 rule', '2,000 entries']);
  });
});
