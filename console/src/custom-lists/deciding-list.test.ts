import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blankRule } from '../gate-editor/draft.ts';
import { decidesFirst, decidingRule } from './deciding-list.ts';

const list = { id: '01list' };
const rule = decidingRule('customers', list);
const allowsList = (gate: Parameters<typeof decidesFirst>[0], { id } = list) => decidesFirst(gate, { id }, 'allow');
const block = { ...blankRule, action: 'block', stop: true } as const;

describe('a deciding list', () => {
  it('the entries of a deciding list are allowed by a final live rule above every rule that stops', () => {
    assert.equal(allowsList({ rules: [rule, block] }, list), true);
    assert.equal(allowsList({ rules: [{ ...block, stop: false }, rule, block] }, list), true);
    assert.equal(allowsList({ rules: [{ ...block, enabled: false }, rule] }, list), true);
  });

  it('the entries of a deciding list are not safe below a final rule, or behind a rule that does not decide', () => {
    assert.equal(allowsList({ rules: [block, rule] }, list), false);
    assert.equal(allowsList({ rules: [{ ...rule, mode: 'shadow' }, block] }, list), false);
    assert.equal(allowsList({ rules: [{ ...rule, enabled: false }, block] }, list), false);
    assert.equal(allowsList({ rules: [{ ...rule, stop: false }, block] }, list), false);
    assert.equal(allowsList({ rules: [rule, block] }, { id: '01other' }), false);
    const narrower = { ...rule, conditions: [...rule.conditions, ...blankRule.conditions] };
    assert.equal(allowsList({ rules: [narrower, block] }, list), false);
  });
});
