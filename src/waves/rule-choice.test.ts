import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gateSignals, placeOf, type Values } from '../gates/rules/signals.ts';
import { chooseRule, type EvaluatedDecision } from './rule-choice.ts';
import type { StoredWave } from './wave.ts';

const beganAtMs = Date.UTC(2026, 10, 15);
const dayMs = 86_400_000;
const wave: StoredWave = {
  id: '',
  owner: { accountId: 'account', environment: 'production' },
  kind: 'network',
  value: '203.0.113.0/24',
  beganAtMs,
  lastAtMs: beganAtMs,
  endedAtMs: beganAtMs + 1_000,
  addresses: 10,
  domains: 10,
  ips: 10,
  allow: 10,
  block: 0,
  challenge: 0,
  usualPerHour: 0,
  isSlow: false,
  isStopped: false,
  verdict: null,
  createdAtMs: beganAtMs,
  samples: [],
};

const valuesOf = (subject: keyof typeof gateSignals, name: string, value: string | number): Values =>
  new Array<null>(gateSignals[subject].length).fill(null).with(placeOf(subject, name), value as never);
const decided = (createdAtMs: number, ip: string, inHour: number): EvaluatedDecision => ({
  createdAtMs,
  signals: {
    email: null,
    domain: [],
    ip: valuesOf('ip', 'address', ip),
    traffic: valuesOf('traffic', 'network.addresses_1h', inHour),
  },
});
const choose = (logged: readonly EvaluatedDecision[]) =>
  chooseRule(
    wave,
    8,
    async (_owner, _fromMs, _budget, visit) => {
      logged.forEach(visit);
      return true;
    },
    () => beganAtMs + dayMs,
    () => 0,
  );
const attack = (inHour: (index: number) => number): EvaluatedDecision[] =>
  Array.from({ length: 10 }, (_, index) => decided(beganAtMs + index, `203.0.113.${index}`, inHour(index)));
const neighbours = [1, 2, 3].map((days) => decided(beganAtMs - days * dayMs, '203.0.113.200', 1));

it('the rule against a wave is the one that touches the least else, of those that catch the wave [D421]', async () => {
  const busy = await choose([...attack((index) => 8 + index), ...neighbours]);
  assert.deepEqual([busy.rule.conditions[0]?.field, busy.stops, busy.touches], ['traffic.network.addresses_1h', 10, 0]);
  assert.deepEqual([busy.evaluated, busy.isComplete], [13, true]);
  const direct = await choose([...attack((index) => 1 + index), ...neighbours]);
  assert.deepEqual([direct.rule.conditions[0]?.field, direct.stops, direct.touches], ['ip.address', 10, 3]);
  const unlogged = await choose([]);
  assert.deepEqual([unlogged.rule.conditions[0]?.field, unlogged.stops], ['ip.address', 0]);
});
