import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headline } from './headline.ts';

const hour = (at: string, block: number, allow = 1) => ({ at, allow, block, challenge: 0 });
const quiet = Array.from({ length: 30 }, (_, index) => hour(new Date(Date.UTC(2026, 10, 11, index)).toISOString(), 1));

test('names the hour that stands out, and the network of a wave in it', () => {
  const peak = hour(new Date(2026, 10, 12, 7).toISOString(), 60);
  const wave = { kind: 'network', value: '203.0.113.0/24', began_at: peak.at, last_at: peak.at };
  assert.equal(
    headline([...quiet, peak], '7 days', [wave]).replace(/ 20\d\d/, ''),
    '90 of 121 decisions blocked in 7 days, 60 of them within one hour on 12 Nov at 07:00 from 203.0.113.0/24.',
  );
});

test('names no hour when blocks are spread evenly', () =>
  assert.equal(headline(quiet, '7 days'), '30 of 60 decisions blocked in 7 days.'));

test('says that nothing was blocked or decided', () => {
  assert.equal(
    headline([hour('2026-11-12T07:00:00Z', 0, 2)], '24 hours'),
    'Nothing blocked in 24 hours: 2 decisions, 0 challenged.',
  );
  assert.equal(headline([hour('2026-11-12T07:00:00Z', 0, 0)], '24 hours'), 'No decisions in 24 hours.');
});
