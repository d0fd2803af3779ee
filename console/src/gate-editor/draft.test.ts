import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addException, addRule, blankRule, changeRule, draftOf } from './draft.ts';

const saved = (id: string) => ({ ...blankRule, id, name: id });
const draft = draftOf(1, { defaultAction: 'allow', rules: [saved('a'), saved('b')] });
const names = ({ now }: typeof draft) => now.rules.map(({ name }) => name);

describe('a draft of a gate', () => {
  it('a draft adds a rule that stops people at the end', () => {
    assert.deepEqual(names(addRule(draft).draft), ['a', 'b', 'New rule']);
  });

  it('a draft adds an exception at the top', () => {
    assert.deepEqual(names(addRule(draft, { ...blankRule, name: 'VIP', action: 'allow' }).draft), ['VIP', 'a', 'b']);
    const [first] = addException(draft, 'jane@example.com').draft.now.rules;
    assert.equal(first?.name, 'Allow jane@example.com');
    assert.equal(first?.stop, true);
  });

  it('a new rule that becomes an exception moves to the top and is final', () => {
    const added = addRule(draft);
    const changed = changeRule(added.draft, added.key, { action: 'allow' });
    assert.deepEqual(names(changed), ['New rule', 'a', 'b']);
    assert.equal(changed.now.rules[0]?.stop, true);
  });

  it('a saved rule that becomes an exception keeps its position', () => {
    const changed = changeRule(draft, 'b', { action: 'allow' });
    assert.deepEqual(names(changed), ['a', 'b']);
    assert.equal(changed.now.rules[1]?.stop, false);
  });
});
