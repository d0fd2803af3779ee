import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { History, Rate } from './history.ts';
import { detectedKinds } from './kinds.ts';
import { neededOf, windowOf } from './needed.ts';
import { SizeSums, type ValueGroup } from './value-groups.ts';

const hourlyRate = 20;
const rate: Rate = { average: hourlyRate, now: hourlyRate, day: hourlyRate * 24, doubt: 0.001 };
const none = { values: 0, groups: 0, sum: 0, squares: 0 };
const noBundles = { of: new Map<number, number>(), expected: [], values: 0 };
const history: History = {
  hours: 168,
  profileAt: () => 1,
  rateOf: () => rate,
  rateSquares: () => 1_000_000,
  dispersionOf: () => 0.1,
  firstExcess: () => none,
  domains: noBundles,
  networks: noBundles,
};
const domainMeasure = detectedKinds.findIndex(({ kind }) => kind === 'domain');

/** An hour with one value, which has a rate and so many rows. */
function neededWith(factor: number, rows: number): number {
  const [detected] = detectedKinds.slice(domainMeasure);
  assert.ok(detected !== undefined);
  const group: ValueGroup = { key: 1, rows: new Array(rows) };
  const window = windowOf(
    {
      measure: domainMeasure,
      detected,
      isDay: false,
      isFirstDay: false,
      rise: 1,
      hours: 1,
      peers: { values: 1, small: [0], large: [rows], sizes: new SizeSums([rows]) },
      settings: { enabled: true, minAddresses: 8, factor },
      history,
    },
    [group],
    [rate],
  );
  return neededOf(rate, rows, window);
}

describe('the members that a value with a rate needs', () => {
  it('are the factor times its rate, even where chance explains far fewer [D425]', () => {
    for (const factor of [5, 10]) assert.equal(neededWith(factor, 400), factor * hourlyRate);
  });

  it('are more than the factor times its rate where chance explains as many', () => {
    assert.ok(neededWith(1.5, 400) > 1.5 * hourlyRate);
  });
});
