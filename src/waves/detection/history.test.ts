import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { historyHours, networkMeasure, readHistory } from './history.ts';
import { HourSummary, measures, valueHash } from './hour-summary.ts';

const nowHour = 500_000;
const domain = 2;

/** An hour in which each value had so many members; the total is their sum. */
function hourWith(hour: number, values: Readonly<Record<number, number>>, measure = domain): HourSummary {
  const entries = Object.entries(values).map(([key, count]) => [valueHash(measure, Number(key)), measure, count]);
  const total = Object.values(values).reduce((sum, count) => sum + count, 0);
  const all = [...entries, [valueHash(measures.total, 1), measures.total, total]];
  all.sort(([one = 0], [other = 0]) => one - other);
  return new HourSummary(
    hour,
    Uint32Array.from(all.flatMap(([hash = 0, of = 0, count = 0]) => [hash, of * 2 ** 24 + count])),
  );
}

const read = (summaries: readonly HourSummary[], knownHours = historyHours) =>
  readHistory(summaries, nowHour - knownHours, nowHour, () => null);

/** Ten days of hours, oldest first. */
const hours = Array.from({ length: historyHours }, (_, index) => nowHour - historyHours + index);

describe('the history of an environment', () => {
  it('survives being stored', () => {
    const summary = hourWith(7, { 5: 3, 9: 4 });
    const stored = HourSummary.decode(7, summary.encode());
    assert.deepEqual(
      [5, 9, 11].map((key) => stored.countOf(valueHash(domain, key))),
      [3, 4, 0],
    );
  });

  it('has the rate of a value at a time of day [D425]', async () => {
    const isBusy = (hour: number): boolean => Math.abs((hour % 24) - (nowHour % 24)) <= 1;
    const history = await read(hours.map((hour) => hourWith(hour, { 1: isBusy(hour) ? 12 : 1, 2: 4 })));
    const busy = history.rateOf(domain, 1, nowHour);
    const quiet = history.rateOf(domain, 1, nowHour + 12);
    assert.ok((busy?.now ?? 0) > 9 && (quiet?.now ?? 9) < 2, `${busy?.now} ${quiet?.now}`);
    assert.equal(busy?.average, quiet?.average);
  });

  it('has no rate of a value that is younger than seven days [D425]', async () => {
    const history = await read(hours.map((hour) => hourWith(hour, hour > nowHour - 160 ? { 1: 3, 2: 3 } : { 2: 3 })));
    assert.equal(history.rateOf(domain, 1, nowHour), null);
    assert.notEqual(history.rateOf(domain, 2, nowHour), null);
  });

  it('fits a larger dispersion to values with bursts, and to new values with more members [D425]', async () => {
    const steady = await read(hours.map((hour) => hourWith(hour, { 1: 4, 2: 4 })));
    const bursty = await read(hours.map((hour) => hourWith(hour, { 1: hour % 8 === 0 ? 32 : 0, 2: 4 })));
    assert.ok(bursty.dispersionOf(domain) > steady.dispersionOf(domain));
    const isDay = false;
    const newcomers = await read(hours.map((hour) => hourWith(hour, { [hour]: 3 })));
    const { values, sum } = newcomers.firstExcess(domain, isDay);
    assert.equal(sum / values, 2);
  });

  it('bundles usual values alone, so that a rise is measured on what has a rate [D425]', async () => {
    const history = await read(hours.map((hour) => hourWith(hour, { 1: 4, [hour]: 1 }, networkMeasure)));
    assert.deepEqual([history.networks.values, history.domains.values], [1, 0]);
    assert.ok(Math.abs((history.networks.expected[0] ?? 0) - 4) < 0.1);
  });
});
