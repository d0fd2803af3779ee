import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { type FieldValues, signalsFromFields } from '../../../test/gates/signals-from-fields.ts';
import { readInput } from '../../../test/read-input.ts';
import { noBudget } from '../regex/regex-budget.ts';
import { actions } from './action.ts';
import type { Condition, ConditionValue } from './condition.ts';
import { compileGate, compileGateInTurns, type Evaluable } from './evaluate.ts';
import { type Field, fields, findField } from './fields.ts';
import { type Operator, operatorsByType } from './operators.ts';
import type { RuleDraft } from './rule.ts';
import { newRuleInput } from './rule-input.ts';
import type { DecisionSignals } from './signals.ts';

/** The documented meaning of a condition, said as plainly as possible and without a thought for speed. */
function conditionHolds(condition: Condition, signals: DecisionSignals): boolean {
  const field = findField(condition.field);
  assert.ok(field);
  const given = signals[field.subject]?.[field.place] ?? null;
  const actual =
    field.type === 'string[]' && given !== null
      ? (given as unknown as Record<string, string>[]).map((item) => item[field.part])
      : given;
  const { operator, value } = condition;
  if (operator === 'is_known') return actual !== null;
  if (operator === 'is_unknown') return actual === null;
  if (actual === null) return false;
  if (Array.isArray(actual)) {
    const positive = operator.replace('not_', '');
    const any = actual.some((item) => scalarHolds(positive, item, value));
    return operator.startsWith('not_') ? !any : any;
  }
  return scalarHolds(operator, actual, value);
}

function scalarHolds(operator: string, actual: unknown, value: unknown): boolean {
  if (operator.startsWith('not_')) return !scalarHolds(operator.slice(4), actual, value);
  const fold = (item: unknown) => (typeof item === 'string' ? item.toLowerCase() : item);
  if (operator === 'equals') return fold(actual) === fold(value);
  if (operator === 'in') return Array.isArray(value) && value.map(fold).includes(fold(actual));
  if (typeof actual === 'number') return numberHolds(operator, actual, value);
  assert.ok(typeof actual === 'string' && typeof value === 'string');
  if (operator === 'matches') return RE2JS.compile(value, RE2JS.CASE_INSENSITIVE).matcher(actual).find();
  const [text, part] = [actual.toLowerCase(), value.toLowerCase()];
  if (operator === 'contains') return text.indexOf(part) >= 0;
  if (operator === 'starts_with') return text.slice(0, part.length) === part;
  assert.equal(operator, 'ends_with');
  return text.length >= part.length && text.slice(text.length - part.length) === part;
}

function numberHolds(operator: string, actual: number, value: unknown): boolean {
  if (operator === 'between') {
    assert.ok(Array.isArray(value));
    return Number(value[0]) <= actual && actual <= Number(value[1]);
  }
  assert.ok(typeof value === 'number');
  if (operator === 'greater_than') return actual > value;
  if (operator === 'greater_than_or_equal') return actual >= value;
  if (operator === 'less_than') return actual < value;
  assert.equal(operator, 'less_than_or_equal');
  return actual <= value;
}

function reference(gate: Evaluable<RuleDraft>, signals: DecisionSignals) {
  const matched: RuleDraft[] = [];
  const shadowMatched: RuleDraft[] = [];
  for (const rule of gate.rules.filter(({ enabled }) => enabled)) {
    const results = rule.conditions.map((condition) => conditionHolds(condition, signals));
    if (rule.match === 'all' ? results.includes(false) : !results.includes(true)) continue;
    (rule.mode === 'shadow' ? shadowMatched : matched).push(rule);
    if (rule.stop && rule.mode === 'live') break;
  }
  const matchedRule = matched.at(-1) ?? null;
  return { action: matchedRule?.action ?? gate.defaultAction, matchedRule, matched, shadowMatched };
}

// Few different words and numbers, so that conditions hold about as often as not.
const word = fc.constantFrom('a', 'A', 'ab', 'aB', 'b', 'ba', 'mail.Example.com', 'example.com', '', 'ÄÖ', 'äö');
const part = fc.constantFrom('a', 'B', 'ab', 'EXAMPLE', '.com', 'Ä');
const pattern = fc.constantFrom('^a', 'B$', '^(a|ab)$', '\\.', '^$', '[^a]', 'ä', '(a*)*b', '(?-i)A');

/** Names are in ASCII: what they mean in other alphabets, the table of cases says. */
function fitting(field: Field, texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const isName = 'kind' in field && field.kind !== 'plain';
  return isName ? texts.filter((text) => !/[^\x00-\x7f]/.test(text)) : texts;
}

const integer = fc.integer({ min: -2, max: 3 });

function valueFor(field: Field, operator: Operator): fc.Arbitrary<ConditionValue | undefined> {
  if (operator === 'is_known' || operator === 'is_unknown') return fc.constant(undefined);
  if (operator === 'matches' || operator === 'not_matches') return pattern;
  if (operator === 'between') return fc.tuple(integer, fc.nat(3)).map(([low, width]) => [low, low + width]);
  const many = operator === 'in' || operator === 'not_in';
  if (field.type === 'boolean') return fc.boolean();
  if (field.type === 'integer') return many ? fc.array(integer, { minLength: 1, maxLength: 4 }) : integer;
  if (many) return fc.array(fitting(field, word), { minLength: 1, maxLength: 4 });
  return fitting(field, operator === 'equals' || operator === 'not_equals' ? word : part);
}

const anyCondition: fc.Arbitrary<Condition> = fc
  .constantFrom(...fields)
  .chain((field) => fc.tuple(fc.constant(field), fc.constantFrom<Operator>(...operatorsByType[field.type])))
  .chain(([field, operator]) =>
    valueFor(field, operator).map((value) => ({
      field: field.path,
      operator,
      ...(value === undefined ? {} : { value }),
    })),
  );

const anyRule: fc.Arbitrary<RuleDraft> = fc.record(
  {
    name: fc.constantFrom('One', 'Two', 'Three'),
    description: fc.constant(null),
    message: fc.constant(null),
    match: fc.constantFrom('all', 'any'),
    action: fc.constantFrom(...actions),
    stop: fc.boolean(),
    enabled: fc.integer({ min: 0, max: 4 }).map((draw) => draw > 0),
    mode: fc.constantFrom('live', 'live', 'shadow'),
    conditions: fc.array(anyCondition, { minLength: 1, maxLength: 4 }),
  },
  { noNullPrototype: true },
);

const anyGate = fc.record({ defaultAction: fc.constantFrom(...actions), rules: fc.array(anyRule, { maxLength: 8 }) });

function sampleOf(field: Field): fc.Arbitrary<FieldValues[string]> {
  if (field.type === 'boolean') return fc.boolean();
  if (field.type === 'integer') return integer;
  const text = fitting(field, word);
  return field.type === 'string' ? text : fc.array(text, { maxLength: 3 });
}

const anySignals = fc
  .tuple(...fields.map((field) => fc.option(sampleOf(field)).map((value) => [field.path, value])))
  .map((entries) => signalsFromFields(Object.fromEntries(entries.filter(([, value]) => value !== null))));

describe('a compiled gate', () => {
  it('a compiled gate decides as the documented meaning says, on one set of signals after another [D199]', () => {
    fc.assert(
      fc.property(anyGate, fc.array(anySignals, { minLength: 1, maxLength: 4 }), (gate, several) => {
        const evaluate = compileGate(gate);
        for (const signals of several) assert.deepEqual(evaluate(signals), reference(gate, signals));
      }),
      { numRuns: 3000 },
    );
  });

  it('a compiled gate is made of rules that validation lets through as they are', () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        assert.deepEqual(readInput(newRuleInput, rule), { ok: true, value: { draft: rule, position: null } });
      }),
    );
  });

  it('a compiled gate answers the very rules it was given', () => {
    const rule = { id: '01k', ...ruleOn({ field: 'domain.mx', operator: 'equals', value: true }) };
    const verdict = compileGate({ defaultAction: 'allow', rules: [rule] })(signalsFromFields({ 'domain.mx': true }));
    assert.equal(verdict.matchedRule, rule);
    assert.equal(verdict.matched[0], rule);
  });

  it('a compiled gate allocates no verdict while nothing matches', () => {
    const evaluate = compileGate({ defaultAction: 'allow', rules: [] });
    assert.equal(evaluate(signalsFromFields({})), evaluate(signalsFromFields({ 'domain.mx': true })));
  });

  it('a compiled gate forgets one decision before the next', () => {
    const evaluate = compileGate({
      defaultAction: 'allow',
      rules: [ruleOn({ field: 'email.address', operator: 'contains', value: 'JANE' })],
    });
    const jane = signalsFromFields({ 'email.address': 'Jane@example.com' });
    const answers = [jane, signalsFromFields({}), jane, signalsFromFields({ 'email.address': 'x@example.com' })].map(
      (signals) => evaluate(signals).action,
    );
    assert.deepEqual(answers, ['block', 'allow', 'block', 'allow']);
  });

  it('a compiled gate compares with lists that share a few of many texts, and texts it has not met before', () => {
    const many = Array.from({ length: 300 }, (_, number) => `Name-${number}.example`);
    const lists = [many, [many[0] ?? '', 'far.example'], [many[299] ?? '', 'FAR.example', 'last.example']];
    const rules = lists.map((value) => ({ ...ruleOn({ field: 'domain.name', operator: 'in', value }), stop: false }));
    const evaluate = compileGate({ defaultAction: 'allow', rules });
    for (const name of [...many, 'far.example', 'LAST.example', 'other.example', ...many]) {
      const signals = signalsFromFields({ 'domain.name': name });
      const expected = rules.filter((_, index) =>
        lists[index]?.some((item) => item.toLowerCase() === name.toLowerCase()),
      );
      assert.deepEqual(evaluate(signals).matched, expected, name);
    }
  });

  it('a compiled gate asks regular expressions that were too many to be compiled ahead as it asks all others [D299]', () => {
    const value = (number: number) => `^${'\\pL'.repeat(20)}${number}$`;
    const rules = Array.from({ length: 60 }, (_, number) =>
      ruleOn({ field: 'domain.name', operator: 'matches', value: value(number) }),
    );
    const evaluate = compileGate({ defaultAction: 'allow', rules });
    const name = (number: number) => signalsFromFields({ 'domain.name': `${'a'.repeat(20)}${number}` });
    for (const number of [0, 41, 42, 43, 59]) assert.equal(evaluate(name(number)).matchedRule, rules[number]);
    assert.equal(evaluate(name(60)).action, 'allow');
  });

  it('a gate is compiled with turns for others after each condition, and after each name of a list', async () => {
    const names = Array.from({ length: 200 }, (_, number) => `bücher-${number}.example`);
    const rules = [
      ruleOn({ field: 'domain.name', operator: 'in', value: names }),
      ruleOn({ field: 'domain.mx_records.*.hostname', operator: 'not_in', value: names }),
    ];
    let asked = 0;
    const evaluate = await compileGateInTurns({ defaultAction: 'allow', rules }, noBudget, () => {
      asked += 1;
      return null;
    });
    assert.ok(asked >= 400, String(asked));
    assert.equal(evaluate(signalsFromFields({ 'domain.name': 'other.example' })).action, 'allow');
    const host = { 'domain.mx_records.*.hostname': ['mx.example.com'] };
    assert.deepEqual(evaluate(signalsFromFields(host)).matched, [rules[1]]);
    const [known = ''] = names;
    const ascii = { 'domain.name': domainToASCII(known) };
    assert.deepEqual(evaluate(signalsFromFields(ascii)).matched, [rules[0]]);
  });

  const broken: readonly Condition[] = [
    { field: 'no.such', operator: 'equals', value: true },
    { field: 'domain.mx', operator: 'contains', value: 'x' },
    { field: 'domain.mx', operator: 'equals', value: 'true' },
    { field: 'domain.age_days', operator: 'between', value: [1] },
    { field: 'domain.age_days', operator: 'less_than', value: 'x' },
    { field: 'domain.age_days', operator: 'contains', value: 1 },
    { field: 'domain.name', operator: 'in', value: 'x' },
    { field: 'domain.name', operator: 'in', value: [1] },
    { field: 'domain.name', operator: 'less_than', value: 'x' },
    { field: 'domain.name', operator: 'matches', value: '(' },
  ];
  for (const condition of broken) {
    it(`a compiled gate refuses to compile ${JSON.stringify(condition)}`, () => {
      assert.throws(() => compileGate({ defaultAction: 'allow', rules: [ruleOn(condition)] }), {
        name: 'ConditionError',
      });
    });
  }
});

function ruleOn(...conditions: Condition[]): RuleDraft {
  return {
    name: 'Rule',
    description: null,
    message: null,
    match: 'all',
    action: 'block',
    stop: false,
    enabled: true,
    mode: 'live',
    conditions,
  };
}
