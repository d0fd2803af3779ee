import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blankRule } from '../draft.ts';
import { readRuleJson, ruleJson } from './rule-json.ts';

const rule = { ...blankRule, id: 'r', name: 'Rule' };

describe('a rule as JSON', () => {
  it('a rule as JSON parses to the same rule', () => {
    assert.deepEqual(readRuleJson(ruleJson(rule), rule), { rule });
  });

  it('a rule as JSON reports its problem when it is incomplete', () => {
    assert.match(Reflect.get(readRuleJson('{', rule), 'problem'), /^Invalid JSON/);
    assert.deepEqual(readRuleJson('[]', rule), { problem: 'A rule must be an object.' });
    assert.deepEqual(readRuleJson('{"stop": "yes"}', rule), { problem: 'stop must be true or false.' });
    assert.deepEqual(readRuleJson('{"stpo": true}', rule), { problem: 'Unknown property stpo.' });
    assert.match(Reflect.get(readRuleJson('{"conditions": []}', rule), 'problem'), /^conditions must be a list/);
  });
});
