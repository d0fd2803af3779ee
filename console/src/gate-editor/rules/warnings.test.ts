import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blankRule } from '../draft.ts';
import type { Condition, Rule } from '../gate.ts';
import { sampleCatalogue } from '../sample-catalogue.ts';
import { warningsAt } from './warnings.ts';

const disposable: Condition = { field: 'domain.disposable', operator: 'equals', value: true };
const young: Condition = { field: 'domain.age_days', operator: 'less_than', value: 30 };
const rule = (change: Partial<Rule>): Rule => ({ ...blankRule, id: 'r', name: 'Rule', ...change });
const texts = (rules: readonly Rule[], place: number) =>
  warningsAt({ defaultAction: 'allow', rules }, place, sampleCatalogue).map(({ text }) => text);

describe('warnings about a rule', () => {
  const final = rule({ name: 'First', stop: true, conditions: [disposable] });

  it('warnings about a rule name a final rule above that always matches first', () => {
    const below = rule({ conditions: [young, disposable] });
    assert.match(texts([final, below], 1)[0] ?? '', /^Never reached: “First” above is final/);
    assert.deepEqual(texts([{ ...final, stop: false }, below], 1), []);
    assert.deepEqual(texts([{ ...final, mode: 'shadow' }, below], 1), []);
    assert.deepEqual(texts([below, final], 1), []);
  });

  it('warnings about a rule omit a final rule above that does not always match first', () => {
    assert.deepEqual(texts([final, rule({ match: 'any', conditions: [young, disposable] })], 1), []);
    assert.deepEqual(
      texts([rule({ ...final, conditions: [disposable, young] }), rule({ conditions: [young] })], 1),
      [],
    );
  });

  it('warnings about a rule name negated conditions on fields that are often unknown', () => {
    const abroad = { field: 'ip.geo.country_code', operator: 'not_in', value: ['DE'] };
    assert.match(texts([rule({ conditions: [abroad] })], 0)[0] ?? '', /often unknown/);
    assert.deepEqual(texts([rule({ conditions: [{ ...abroad, operator: 'in' }] })], 0), []);
    assert.deepEqual(texts([rule({ enabled: false, conditions: [abroad] })], 0), []);
  });

  it('warnings about an exception count the final rules above that stop its people first, and move it above them', () => {
    const exception = rule({ name: 'VIP', action: 'allow', stop: true, conditions: [young] });
    const block = rule({ name: 'Block', action: 'block', stop: true, conditions: [disposable] });
    const harmless = rule({ name: 'Allow', action: 'allow', stop: true, conditions: [disposable] });
    const gate = { defaultAction: 'allow', rules: [harmless, block, { ...block, name: 'Other' }, exception] } as const;
    assert.deepEqual(warningsAt(gate, 3, sampleCatalogue), [
      { text: '2 rules above stop these people first.', fix: { label: 'Move it up', position: 1 } },
    ]);
    assert.deepEqual(texts([{ ...block, mode: 'shadow' }, { ...block, stop: false }, exception], 2), []);
  });

  it('warnings about an exception that is not final name the rules below that override it', () => {
    const exception = rule({ name: 'VIP', action: 'allow', conditions: [young] });
    assert.deepEqual(texts([exception, rule({ action: 'challenge' })], 0), [
      'A rule below can still block or challenge these people.',
    ]);
    assert.deepEqual(texts([{ ...exception, stop: true }, rule({ action: 'challenge' })], 0), []);
    assert.deepEqual(texts([exception, rule({ action: 'challenge', mode: 'shadow' })], 0), []);
  });
});
