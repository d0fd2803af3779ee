import type { Condition } from '../../src/gates/rules/condition.ts';
import type { CaseRule, GateCase } from './case.ts';

const yes: Condition = { field: 'domain.mx', operator: 'equals', value: true };
const no: Condition = { field: 'domain.mx', operator: 'equals', value: false };
const unknown: Condition = { field: 'domain.age_days', operator: 'less_than', value: 14 };

const allow: CaseRule = { name: 'Allow', action: 'allow', conditions: [yes] };
const block: CaseRule = { name: 'Block', action: 'block', conditions: [yes] };
const challenge: CaseRule = { name: 'Challenge', action: 'challenge', conditions: [yes] };
const miss: CaseRule = { name: 'Miss', action: 'block', conditions: [no] };
const shadow: CaseRule = { name: 'Shadow', action: 'block', conditions: [yes], mode: 'shadow' };

/** One row: the rules, and the decision when `domain.mx` is true and nothing else is known. */
function orderCase(
  name: string,
  rules: readonly CaseRule[],
  action: GateCase['expected']['action'],
  rule: string | null,
  more: { defaultAction?: GateCase['defaultAction']; shadow?: readonly string[] } = {},
): GateCase {
  return {
    name,
    rules,
    signals: { 'domain.mx': true },
    defaultAction: more.defaultAction ?? 'allow',
    expected: { action, rule, shadow: more.shadow ?? [] },
  };
}

const combining: readonly GateCase[] = [
  orderCase('all: every condition holds', [{ ...block, conditions: [yes, yes, yes] }], 'block', 'Block'),
  orderCase('all: the first fails', [{ ...block, conditions: [no, yes, yes] }], 'allow', null),
  orderCase('all: the last fails', [{ ...block, conditions: [yes, yes, no] }], 'allow', null),
  orderCase('all: one is unknown', [{ ...block, conditions: [yes, unknown] }], 'allow', null),
  orderCase('any: the first holds', [{ ...block, match: 'any', conditions: [yes, no] }], 'block', 'Block'),
  orderCase('any: the last holds', [{ ...block, match: 'any', conditions: [no, no, yes] }], 'block', 'Block'),
  orderCase('any: none holds', [{ ...block, match: 'any', conditions: [no, no] }], 'allow', null),
  orderCase(
    'any: one is unknown, one holds',
    [{ ...block, match: 'any', conditions: [unknown, yes] }],
    'block',
    'Block',
  ),
  orderCase('any: one is unknown, none holds', [{ ...block, match: 'any', conditions: [unknown, no] }], 'allow', null),
  orderCase('any with one condition', [{ ...block, match: 'any' }], 'block', 'Block'),
];

const deciding: readonly GateCase[] = [
  orderCase('no rules: the default action', [], 'allow', null),
  orderCase('no rules, default block', [], 'block', null, { defaultAction: 'block' }),
  orderCase('nothing matched, default challenge', [miss], 'challenge', null, { defaultAction: 'challenge' }),
  orderCase('a match beats the default', [allow], 'allow', 'Allow', { defaultAction: 'block' }),
  orderCase('the last match wins', [block, allow], 'allow', 'Allow'),
  orderCase('the last match wins, the other way round', [allow, block], 'block', 'Block'),
  orderCase('the last match wins, not the last rule', [block, challenge, miss], 'challenge', 'Challenge'),
  orderCase('stop is final', [{ ...block, stop: true }, allow], 'block', 'Block'),
  orderCase('stop overrides the matches before it', [allow, { ...block, stop: true }, challenge], 'block', 'Block'),
  orderCase('stop without a match stops nothing', [{ ...miss, stop: true }, challenge], 'challenge', 'Challenge'),
  orderCase('a disabled rule is skipped', [{ ...block, enabled: false }], 'allow', null),
  orderCase(
    'a disabled stop stops nothing',
    [{ ...block, stop: true, enabled: false }, challenge],
    'challenge',
    'Challenge',
  ),
  orderCase('a disabled rule does not win as the last', [block, { ...allow, enabled: false }], 'block', 'Block'),
];

const shadowing: readonly GateCase[] = [
  orderCase('a shadow rule never decides', [shadow], 'allow', null, { shadow: ['Shadow'] }),
  orderCase('a shadow rule after a match does not win', [challenge, shadow], 'challenge', 'Challenge', {
    shadow: ['Shadow'],
  }),
  orderCase('a shadow rule with stop does not stop', [{ ...shadow, stop: true }, challenge], 'challenge', 'Challenge', {
    shadow: ['Shadow'],
  }),
  orderCase('a shadow rule behind a final stop is not reached', [{ ...block, stop: true }, shadow], 'block', 'Block'),
  orderCase(
    'a shadow rule before a final stop is reported',
    [shadow, { ...challenge, stop: true }],
    'challenge',
    'Challenge',
    {
      shadow: ['Shadow'],
    },
  ),
  orderCase('a shadow rule that does not match is not reported', [{ ...shadow, conditions: [no] }], 'allow', null),
  orderCase('a disabled shadow rule is skipped', [{ ...shadow, enabled: false }], 'allow', null),
  orderCase('several shadow rules are reported in order', [shadow, { ...shadow, name: 'Second' }], 'allow', null, {
    shadow: ['Shadow', 'Second'],
  }),
];

/** How conditions combine into a rule, and rules into a decision. */
export const orderCases: readonly GateCase[] = [...combining, ...deciding, ...shadowing];
