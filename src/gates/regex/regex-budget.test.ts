import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signalsFromFields } from '../../../test/gates/signals-from-fields.ts';
import type { Condition } from '../rules/condition.ts';
import { compileGate } from '../rules/evaluate.ts';
import { createRegexBudget } from './regex-budget.ts';
import { regexEngine } from './regex-engine.ts';

/** Clocks that advance at every reading. */
function budgetOf(perQuestion: { monotonicMs: number; processorMs: number }) {
  const passed = { monotonicMs: 0, processorMs: 0, skipped: 0 };
  const budget = createRegexBudget(
    {
      monotonicMs() {
        passed.processorMs += perQuestion.processorMs;
        passed.monotonicMs += perQuestion.monotonicMs;
        return passed.monotonicMs;
      },
      processorMs: () => passed.processorMs,
    },
    () => {
      passed.skipped += 1;
    },
  );
  return { budget, passed };
}

const testsAllowed = (budget: ReturnType<typeof createRegexBudget>): number => {
  budget.begin();
  for (let tests = 0; tests < 1000; tests += 1) if (!budget.allows()) return tests;
  return Number.POSITIVE_INFINITY;
};

const ruleOf = (name: string, condition: Condition) => ({
  ...({ name, description: null, message: null, match: 'all', action: 'block', stop: false, enabled: true } as const),
  mode: 'live' as const,
  conditions: [condition],
});

describe('the time for regular expressions', () => {
  it('the time for regular expressions is over after 20 milliseconds of computing, and is given again to each evaluation [D300]', () => {
    const { budget, passed } = budgetOf({ monotonicMs: 1, processorMs: 1 });
    assert.deepEqual([testsAllowed(budget), testsAllowed(budget)], [20, 20]);
    assert.equal(passed.skipped, 2);
  });

  it('the time for regular expressions does not pass while the process waits for its turn on a busy machine', () => {
    const { budget } = budgetOf({ monotonicMs: 100, processorMs: 0.5 });
    assert.equal(testsAllowed(budget), 40);
  });
});

describe('a condition for which there was no time', () => {
  const hosts = Array.from({ length: 30 }, (_, index) => `mx${index}.example.com`);
  const signals = signalsFromFields({ 'domain.name': 'example.com', 'domain.mx_records.*.hostname': hosts });
  const host = 'domain.mx_records.*.hostname';
  const rules = [
    ruleOf('first', { field: host, operator: 'matches', value: '^mx9' }),
    ruleOf('none of all', { field: host, operator: 'not_matches', value: 'nowhere' }),
    ruleOf('any of all', { field: host, operator: 'matches', value: '^mx29' }),
    ruleOf('one text', { field: 'domain.name', operator: 'matches', value: 'example' }),
    ruleOf('no text', { field: 'domain.name', operator: 'not_matches', value: 'nowhere' }),
    ruleOf('no expression', { field: 'domain.name', operator: 'equals', value: 'example.com' }),
  ];

  it('a condition for which there was no time does not hold, whatever its operator; conditions without a regular expression are evaluated [D300]', () => {
    const { budget, passed } = budgetOf({ monotonicMs: 1, processorMs: 1 });
    const { matched } = compileGate({ defaultAction: 'allow', rules }, budget)(signals);
    assert.deepEqual(
      matched.map(({ name }) => name),
      ['first', 'no expression'],
    );
    assert.equal(passed.skipped, 4);
  });

  it('a condition with a regular expression holds as ever while there is time', () => {
    const { budget, passed } = budgetOf({ monotonicMs: 0.01, processorMs: 0.01 });
    const { matched } = compileGate({ defaultAction: 'allow', rules }, budget)(signals);
    assert.equal(matched.length, rules.length);
    assert.equal(passed.skipped, 0);
  });
});

describe('the regular expressions of a gate', () => {
  it('the regular expressions of a gate are compiled by the decisions that test them, within the time of each; the rest is unknown', (t) => {
    const compile = t.mock.method(regexEngine().RE2JS, 'compile');
    const condition = (index: number): Condition => ({
      field: 'domain.name',
      operator: 'matches',
      value: `^never compiled before ${index}|example`,
    });
    const rules = Array.from({ length: 70 }, (_, index) => ruleOf(`rule ${index}`, condition(index)));
    const { budget, passed } = budgetOf({ monotonicMs: 1, processorMs: 1 });
    const evaluate = compileGate({ defaultAction: 'allow', rules }, budget);
    assert.equal(compile.mock.callCount(), 0);
    const { matched } = evaluate(signalsFromFields({ 'domain.name': 'example.com' }));
    assert.deepEqual([compile.mock.callCount(), matched.length, passed.skipped], [20, 20, 50]);
  });
});
