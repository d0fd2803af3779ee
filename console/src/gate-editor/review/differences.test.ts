import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addException,
  addRule,
  blankRule,
  changeRule,
  discard,
  draftOf,
  goBackTo,
  moveRule,
  onto,
  removeRule,
  setDefault,
} from '../draft.ts';
import type { Rule } from '../gate.ts';
import { sampleCatalogue } from '../sample-catalogue.ts';
import { differences } from './differences.ts';

const rule = (id: string, name: string): Rule => ({ ...blankRule, id, name });
const saved = { defaultAction: 'allow', rules: [rule('a', 'A'), rule('b', 'B'), rule('c', 'C')] } as const;
const draft = draftOf(7, saved);
const texts = (changed: typeof draft) =>
  differences(changed.base, changed.now, sampleCatalogue).map(({ text }) => text);

describe('the differences between a gate and its draft', () => {
  it('the differences between a gate and its draft are empty for an unchanged draft', () => {
    assert.deepEqual(texts(draft), []);
    assert.deepEqual(texts(discard(setDefault(draft, 'block'))), []);
  });

  it('the differences between a gate and its draft name a new rule with its action and conditions', () => {
    const added = addRule(draft, { ...blankRule, name: 'New', action: 'block', stop: true });
    assert.deepEqual(texts(added.draft), ['“New” is new: blocks (final) when Domain · Public mail is yes.']);
  });

  it('the differences between a gate and its draft name a removed rule and another default action', () => {
    assert.deepEqual(texts(setDefault(removeRule(draft, 'b'), 'challenge')), [
      '“B” is removed.',
      'When no rule matches: challenge instead of allow.',
    ]);
  });

  it('the differences between a gate and its draft name each change of a rule', () => {
    const changed = changeRule(draft, 'a', { action: 'block', mode: 'shadow', stop: true, enabled: false });
    assert.deepEqual(texts(changed), [
      '“A” blocks instead of challenge.',
      '“A” only counts (shadow).',
      '“A” is disabled.',
      '“A” is final: no rule below overrides it.',
    ]);
  });

  it('the differences between a gate and its draft name each changed, added and removed condition', () => {
    const old = { field: 'domain.age_days', operator: 'less_than', value: 30 };
    const domains = { field: 'domain.name', operator: 'in', value: ['a', 'b', 'c', 'd', 'e'] };
    const dropped = { field: 'domain.public_domain', operator: 'equals', value: true };
    const earlier = draftOf(1, { ...saved, rules: [{ ...rule('a', 'A'), conditions: [old, domains, dropped] }] });
    const conditions = [
      { ...old, value: 14 },
      { ...domains, value: ['a', 'b', 'c', 'd', 'f'] },
      { field: 'domain.disposable', operator: 'equals', value: true },
    ];
    assert.deepEqual(texts(changeRule(earlier, 'a', { conditions })), [
      '“A” requires that Domain · Age is less than 14 days instead of 30.',
      '“A” requires that domain · name is one of a, b, c and 2 more (adds f; removes e).',
      '“A” also requires that domain · disposable is yes.',
      '“A” no longer requires that Domain · Public mail is yes.',
    ]);
    assert.deepEqual(texts(changeRule(earlier, 'a', { match: 'any' })).length, 1);
    assert.deepEqual(texts(changeRule(earlier, 'a', { message: 'No' })), ['The message of “A” is now “No”.']);
    assert.deepEqual(texts(changeRule(earlier, 'a', { message: 'No.' })), ['The message of “A” is now “No.”']);
  });

  it('the differences between a gate and its draft name only the moved rule', () => {
    assert.deepEqual(texts(moveRule(draft, 2, 0)), ['“C” is now at position 1.']);
    assert.deepEqual(texts(moveRule(draft, 0, 2)), ['“A” is now at position 3.']);
  });

  it('the differences between a gate and its draft against another user’s change show what saving would undo', () => {
    const mine = changeRule(draft, 'a', { action: 'block' });
    const theirs = { ...saved, rules: [rule('a', 'A'), rule('b', 'Renamed')] };
    const rebased = onto(mine, 8, theirs);
    assert.equal(rebased.revision, 8);
    assert.deepEqual(texts(rebased), [
      '“A” blocks instead of challenge.',
      '“Renamed” is renamed to “B”.',
      '“C” is new: challenges when Domain · Public mail is yes.',
    ]);
  });

  it('the differences between a gate and its draft name an exception for an address, which comes first and is final', () => {
    const { draft: excepted } = addException(draft, 'jane@example.com');
    assert.equal(excepted.now.rules[0]?.stop, true);
    assert.deepEqual(texts(excepted), [
      '“Allow jane@example.com” is new: allows (final) when email · address is jane@example.com.',
    ]);
  });

  it('the differences between a gate and its draft to an earlier revision bring removed rules back as new ones', () => {
    const back = goBackTo(draft, { defaultAction: 'allow', rules: [rule('gone', 'Gone'), ...saved.rules] });
    assert.deepEqual(texts(back), ['“Gone” is new: challenges when Domain · Public mail is yes.']);
    assert.equal(back.now.rules[0]?.id, null);
  });
});
