import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blankRule } from '../draft.ts';
import { readRuleJson, ruleJson } from './rule-json.ts';

const rule = { ...blankRule, id: 'r', name: 'Rule' };

describe('a rule as JSON', () => {
  it('a rule as JSON is read back as it was written, and stays the same rule', () => {
    assert.deepEqual(readRuleJson(ruleJson(rule), rule), { rule });
  });

  it('a rule as JSON that is not finished says what is wrong and where', () => {
    assert.match(Reflect.get(readRuleJson('{', rule), 'problem'), /^This is no JSON yet/);
    assert.deepEqual(readRuleJson('[]', rule), { problem: 'A rule is an object.' });
    assert.deepEqual(readRuleJson('{"stop": "yes"}', rule), { problem: 'stop must be true or false.' });
    assert.deepEqual(readRuleJson('{"stpo": true}', rule), { problem: 'stpo is not known.' });
    assert.match(Reflect.get(readRuleJson('{"conditions": []}', rule), 'problem'), /^conditions must be a list/);
  });
});
