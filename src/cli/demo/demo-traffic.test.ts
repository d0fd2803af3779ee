import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAddress } from '../../address/address.ts';
import { parseIp } from '../../address/ip.ts';
import { demoTraffic } from './demo-traffic.ts';

const endMs = Date.UTC(2026, 10, 15, 14);
const dayMs = 86_400_000;

describe('the month of the demonstration', () => {
  const events = demoTraffic(endMs);

  it('the month of the demonstration is the same each time', () => {
    assert.deepEqual(demoTraffic(endMs), events);
  });

  it('the month of the demonstration has exactly the requested number of decisions', () => {
    for (const decisions of [1, 500, 10_000]) {
      const some = demoTraffic(endMs, decisions);
      assert.equal(some.filter(({ kind }) => kind !== 'lookup').length, decisions);
    }
  });

  it('the month of the demonstration is a month, in order, without events in the future', () => {
    const times = events.map(({ atMs }) => atMs);
    assert.deepEqual(
      times,
      times.toSorted((one, other) => one - other),
    );
    assert.ok((times[0] ?? 0) >= endMs - 31 * dayMs && (times.at(-1) ?? endMs) < endMs);
    const days = new Set(times.map((atMs) => Math.floor(atMs / dayMs)));
    assert.ok(days.size >= 30, `${days.size} days`);
  });

  it('the month of the demonstration has addresses and IP addresses that the service accepts', () => {
    for (const { email, ip } of events) {
      assert.notEqual(parseAddress(email), null, email);
      if (ip !== null) assert.notEqual(parseIp(ip), null, ip);
    }
  });

  it('the month of the demonstration has a night of throwaway addresses, busier than any other', () => {
    const atNight = events.filter(({ atMs }) => new Date(atMs).getUTCHours() === 3);
    const perNight = Map.groupBy(atNight, ({ atMs }) => Math.floor(atMs / dayMs));
    const [busiest = 0, next = 0] = Array.from(perNight.values(), ({ length }) => length).sort(
      (one, other) => other - one,
    );
    assert.ok(busiest > 20 && busiest > 3 * next, `${busiest}, ${next}`);
  });
});
