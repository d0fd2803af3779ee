import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ago, dayAndTime, dayName, exact, spanOfDays, until } from './times.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const before = (seconds: number) => ago(now - seconds * 1000, now);

describe('times in words', () => {
  it('times in words are relative to now, and dates beyond a month', () => {
    assert.deepEqual(
      [before(3), before(90), before(59 * 60), before(5 * 3600), before(3 * 86_400), before(50 * 86_400)],
      ['just now', '2 min ago', '59 min ago', '5 h ago', '3 d ago', '26 Sept'],
    );
  });

  it('times in words change to the next unit where the smaller one is full', () => {
    assert.deepEqual(
      [before(59.4 * 60), before(59.6 * 60), before(23.4 * 3600), before(23.6 * 3600), until(now + 59.6 * 60_000, now)],
      ['59 min ago', '1 h ago', '23 h ago', '1 d ago', 'in 1 h'],
    );
  });

  it('times in words can be in the future', () => {
    assert.equal(ago(now + 3 * 3_600_000, now), 'in 3 h');
    assert.equal(until(now + 20 * 60_000, now), 'in 20 min');
  });

  it('times in words include the year when it is not the current one', () => {
    assert.equal(dayName('2025-12-01T12:00:00Z', now), '1 Dec 2025');
  });

  it('times in words are exact in the time zone of the reader', () => {
    const zone = process.env.TZ;
    const at = '2026-09-05T22:04:09Z';
    const shown = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'].map((name) => {
      process.env.TZ = name;
      return exact(at);
    });
    assert.equal(dayAndTime(at, now), '6 Sept, 03:34');
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
    assert.deepEqual(shown, [
      '5 Sept 2026, 22:04:09 UTC',
      '6 Sept 2026, 00:04:09 UTC+2',
      '5 Sept 2026, 18:04:09 UTC−4',
      '6 Sept 2026, 03:34:09 UTC+5:30',
    ]);
  });

  it('times in words give a number of days in the best unit', () => {
    assert.deepEqual(
      [spanOfDays(1), spanOfDays(12), spanOfDays(243), spanOfDays(10_700)],
      ['1 day', '12 days', '8 months', '29 years'],
    );
  });
});
