import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { short } from './axis.ts';
import { counted, grouped, percent } from './numbers.ts';

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

  it('numbers in words have no more decimals than they need', () => {
    assert.deepEqual(
      [grouped(1_234.5, 3), grouped(0.350_1, 3), grouped(-1_234_567), grouped(100)],
      ['1,234.5', '0.35', '-1,234,567', '100'],
    );
  });

  it('numbers in words are short on axes', () => {
    assert.deepEqual([0, 7, 999, 1_000, 12_400, 123_456, 999_960, 2_500_000, 1e9].map(short), [
      '0',
      '7',
      '999',
      '1K',
      '12.4K',
      '123.5K',
      '1M',
      '2.5M',
      '1B',
    ]);
  });

  it('numbers in words agree with their noun', () => {
    assert.deepEqual([counted(1, 'rule'), counted(2_000, 'entry', 'entries')], ['1 rule', '2,000 entries']);
  });
});
