import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RuleHealth } from '../../api/gate.ts';
import { blankRule } from '../draft.ts';
import type { Rule } from '../gate.ts';
import { healthTexts } from './health.ts';

const now = Date.UTC(2026, 10, 15, 14, 20);
const days = [...Array.from({ length: 27 }, () => 1), 10, 20, 3];
const health: RuleHealth = {
  id: 'r',
  days,
  last_match_on: '2026-11-15',
  mode_since: '2026-11-13T09:00:00+00:00',
  good: 0,
  bad: 0,
};
const texts = (rule: Partial<Rule>, change: Partial<RuleHealth> = {}) => {
  const { notes, warnings, shadow } = healthTexts({ ...blankRule, id: 'r', ...rule }, { ...health, ...change }, now);
  return [...notes, ...warnings.map(({ text }) => text), ...(shadow === null ? [] : [shadow])];
};

describe('the health of a rule in words', () => {
  it('names the day of the last match', () => {
    assert.deepEqual(texts({}), ['last match today']);
    assert.deepEqual(texts({}, { last_match_on: '2026-11-14' }), ['last match yesterday']);
    assert.deepEqual(texts({}, { last_match_on: '2026-11-05' }), ['last match 10 days ago']);
    assert.deepEqual(texts({}, { last_match_on: null }), ['no match yet']);
  });

  it('warns about a rule that has not matched for weeks', () => {
    assert.deepEqual(texts({}, { last_match_on: '2026-10-05' }), ['No match for 41 days.']);
  });

  it('offers to make a shadow rule live, with what it would have done since it is in shadow mode', () => {
    assert.deepEqual(texts({ mode: 'shadow', action: 'challenge' }), [
      'last match today',
      'In shadow for 2 days: would challenge 33.',
    ]);
    assert.deepEqual(
      texts({ mode: 'shadow', action: 'block' }, { mode_since: '2026-01-01T00:00:00+00:00' })[1],
      'In shadow for 318 days: would block 60 in the last 30 days.',
    );
    assert.deepEqual(texts({ mode: 'shadow' }, { days: days.map(() => 0), last_match_on: null }), ['no match yet']);
  });

  it('adds the outcomes with their interval', () => {
    assert.deepEqual(texts({}, { bad: 3 }), ['last match today', '3 of 3 reported were bad (likely 44–100 %)']);
  });

  it('is silent about a disabled rule and a rule without a record', () => {
    assert.deepEqual(texts({ enabled: false }), []);
    assert.deepEqual(healthTexts({ ...blankRule, id: null }, undefined, now), {
      notes: [],
      warnings: [],
      shadow: null,
    });
  });
});
