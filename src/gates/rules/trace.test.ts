import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { GateCase } from '../../../test/gates/case.ts';
import { gateCases } from '../../../test/gates/cases.ts';
import { type FieldValues, signalsFromFields } from '../../../test/gates/signals-from-fields.ts';
import { noBudget } from '../regex/regex-budget.ts';
import { compileGate } from './evaluate.ts';
import type { RuleDraft } from './rule.ts';
import { type Trace, traceRules, type UnknownReasons } from './trace.ts';

const noTurn = () => null;
const noReasons: UnknownReasons = { email: null, domain: [], ip: null, traffic: null };

const draft = (rule: Partial<RuleDraft> & Pick<RuleDraft, 'conditions'>): RuleDraft => ({
  name: 'Rule',
  description: null,
  message: null,
  match: 'all',
  action: 'block',
  stop: false,
  enabled: true,
  mode: 'live',
  ...rule,
});

const draftsOf = ({ rules }: Pick<GateCase, 'rules'>): RuleDraft[] => rules.map(draft);

const trace = (
  rules: readonly RuleDraft[],
  fields: FieldValues,
  reasons = noReasons,
  budget = noBudget,
): Promise<Trace<RuleDraft>> =>
  traceRules(
    { defaultAction: 'allow', rules },
    { signals: signalsFromFields(fields), reasons },
    { budget, yieldWhenDue: noTurn },
  );

const outcomesOf = async (rules: readonly RuleDraft[], fields: FieldValues): Promise<string[]> =>
  (await trace(rules, fields)).rules.map(({ outcome }) => outcome);

async function mustAgree(rules: readonly RuleDraft[], fields: FieldValues): Promise<void> {
  const signals = signalsFromFields(fields);
  const decided = compileGate({ defaultAction: 'allow', rules })(signals);
  const traced = await trace(rules, fields);
  assert.equal(traced.action, decided.action);
  assert.equal(traced.matchedRule, decided.matchedRule);
  const having = (...wanted: string[]) =>
    traced.rules.filter(({ outcome }) => wanted.includes(outcome)).map(({ rule }) => rule);
  assert.deepEqual(having('decided', 'overruled'), decided.matched);
  assert.deepEqual(having('matched_shadow'), decided.shadowMatched);
}

describe('a trace agrees with the decision', () => {
  for (const gateCase of gateCases) {
    it(`a trace agrees with the decision of the case ${gateCase.name}`, () =>
      mustAgree(draftsOf(gateCase), gateCase.signals));
  }

  it('a trace agrees with the decision of any rules of the table put together, over the signals of any case', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            from: fc.constantFrom(...gateCases.flatMap(draftsOf)),
            match: fc.constantFrom('all' as const, 'any' as const),
            stop: fc.boolean(),
            enabled: fc.boolean(),
            mode: fc.constantFrom('live' as const, 'shadow' as const),
            more: fc.constantFrom(...gateCases.flatMap(draftsOf)),
          }),
          { maxLength: 6 },
        ),
        fc.constantFrom(...gateCases.map(({ signals }) => signals)),
        async (parts, fields) => {
          const rules = parts.map(({ from, more, ...changes }) => ({
            ...from,
            ...changes,
            conditions: [...from.conditions, ...more.conditions],
          }));
          await mustAgree(rules, fields);
        },
      ),
    ));
});

describe('the outcome of a rule', () => {
  const mx = (value: boolean) => ({ field: 'domain.mx', operator: 'equals', value }) as const;
  const spam = { field: 'domain.spam', operator: 'equals', value: true } as const;
  const hit = draft({ conditions: [mx(true)] });
  const miss = draft({ conditions: [mx(false)] });
  const fields = { 'domain.mx': true };

  it('a rule that matches last is decided, one that matched before it is overruled', async () => {
    assert.deepEqual(await outcomesOf([hit, miss, hit], fields), ['overruled', 'not_matched', 'decided']);
  });

  it('no rule is reached below a final match, shadow ones included; one that is off is off', async () => {
    const rules = [{ ...hit, stop: true }, hit, { ...hit, mode: 'shadow' as const }, { ...hit, enabled: false }];
    assert.deepEqual(await outcomesOf(rules, fields), ['decided', 'not_reached', 'not_reached', 'disabled']);
  });

  it('the outcome of a rule: a shadow rule that would match says so and decides nothing', async () => {
    const { action, rules } = await trace([{ ...hit, mode: 'shadow', stop: true }, hit], fields);
    assert.deepEqual([action, rules.map(({ outcome }) => outcome)], ['block', ['matched_shadow', 'decided']]);
  });

  it('the outcome of a rule is unknown when an unknown signal stands in the way, and not matched when that would change nothing', async () => {
    const all = (...conditions: RuleDraft['conditions']) => draft({ conditions });
    const any = (...conditions: RuleDraft['conditions']) => draft({ match: 'any', conditions });
    const rules = [all(mx(true), spam), all(mx(false), spam), any(mx(true), spam), any(mx(false), spam)];
    assert.deepEqual(await Promise.all(rules.map(async (rule) => (await outcomesOf([rule], fields))[0])), [
      'unknown',
      'not_matched',
      'decided',
      'unknown',
    ]);
  });
});

describe('a condition of a trace', () => {
  const look = async (condition: RuleDraft['conditions'][number], fields: FieldValues, reasons = noReasons) => {
    const { rules } = await trace([draft({ conditions: [condition], enabled: false })], fields, reasons);
    const [{ holds, value, reason } = {}] = rules[0]?.conditions ?? [];
    return [holds, value, reason];
  };

  it('a condition of a trace has the value as it was, not as it is compared, and lists whole', async () => {
    const isJane = { field: 'email.address', operator: 'equals', value: 'jane@example.com' } as const;
    assert.deepEqual(await look(isJane, { 'email.address': 'Jane@Example.com' }), [true, 'Jane@Example.com', null]);
    const hosts = { field: 'domain.mx_records.*.hostname', operator: 'contains', value: 'b' } as const;
    const named = { [hosts.field]: ['a.example', 'b.example'] };
    assert.deepEqual(await look(hosts, named), [true, ['a.example', 'b.example'], null]);
  });

  it('a condition of a trace cannot be said of what is unknown, with the reason; but whether it is known can', async () => {
    const reasons = { ...noReasons, domain: Array<string>(40).fill('timeout') };
    const on = (operator: 'equals' | 'is_known' | 'is_unknown') =>
      look({ field: 'domain.mx', operator, ...(operator === 'equals' ? { value: false } : {}) }, {}, reasons);
    assert.deepEqual(await on('equals'), [null, null, 'timeout']);
    assert.deepEqual(await on('is_known'), [false, null, 'timeout']);
    assert.deepEqual(await on('is_unknown'), [true, null, 'timeout']);
  });

  it('a condition of a trace on something that was not sent says so', async () => {
    const vpn = { field: 'ip.anonymity.vpn.detected', operator: 'equals', value: true } as const;
    assert.deepEqual(await look(vpn, {}), [null, null, 'not_sent']);
  });

  it('a condition of a trace cannot be said of a pattern for which there was no time', async () => {
    const spent = { begin() {}, allows: () => false };
    const pattern = { field: 'domain.name', operator: 'matches', value: 'example' } as const;
    const rule = draft({ conditions: [pattern, { ...pattern, operator: 'not_matches' }] });
    const { action, rules } = await trace([rule], { 'domain.name': 'example.com' }, noReasons, spent);
    assert.deepEqual(
      [action, rules[0]?.outcome, rules[0]?.conditions.map(({ holds, reason }) => [holds, reason])],
      [
        'allow',
        'unknown',
        [
          [null, 'no_time'],
          [null, 'no_time'],
        ],
      ],
    );
  });
});
