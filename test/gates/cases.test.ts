import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileGate } from '../../src/gates/rules/evaluate.ts';
import { fields } from '../../src/gates/rules/fields.ts';
import { operatorsByType } from '../../src/gates/rules/operators.ts';
import { newRuleInput } from '../../src/gates/rules/rule-input.ts';
import { readInput } from '../read-input.ts';
import type { GateCase } from './case.ts';
import { gateCases } from './cases.ts';
import { canonicalCases } from './cases-canonical.ts';
import { signalsFromFields } from './signals-from-fields.ts';

function draftsOf({ rules }: GateCase) {
  return rules.map((rule) => {
    const validated = readInput(newRuleInput, rule);
    assert.ok(validated.ok, JSON.stringify(validated));
    return validated.value.draft;
  });
}

describe('the table of cases', () => {
  for (const gateCase of gateCases) {
    it(`a gate decides as documented: ${gateCase.name}`, () => {
      const evaluate = compileGate({ defaultAction: gateCase.defaultAction, rules: draftsOf(gateCase) });
      const verdict = evaluate(signalsFromFields(gateCase.signals));
      assert.deepEqual(
        {
          action: verdict.action,
          rule: verdict.matchedRule?.name ?? null,
          shadow: verdict.shadowMatched.map((rule) => rule.name),
        },
        gateCase.expected,
      );
    });
  }

  it('the table of cases has at least 150 cases, each with its own name', () => {
    assert.ok(gateCases.length >= 150, String(gateCases.length));
    assert.equal(new Set(gateCases.map((gateCase) => gateCase.name)).size, gateCases.length);
  });

  it('rules keep condition values as sent, although comparisons use the canonical form [D320]', () => {
    for (const gateCase of canonicalCases) {
      assert.deepEqual(
        draftsOf(gateCase).map(({ conditions }) => conditions),
        gateCase.rules.map(({ conditions }) => conditions),
      );
    }
  });

  it('a gate compiles values whose ASCII form exceeds their limit', () => {
    const value = 'ü.'.repeat(500);
    const [draft] = draftsOf({
      ...gateCases[0],
      rules: [
        { name: 'Rule', action: 'block', conditions: [{ field: 'domain.name', operator: 'in', value: [value] }] },
      ],
    } as GateCase);
    assert.ok(draft);
    assert.equal(compileGate({ defaultAction: 'allow', rules: [draft] })(signalsFromFields({})).action, 'allow');
  });

  it('the table of cases survives a JSON round trip', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(gateCases)), gateCases);
  });

  it('the table of cases covers every operator of every type on a known and on an unknown field [D193 D195 D196 D198 D200]', () => {
    const typeOf = new Map(fields.map((field) => [field.path, field.type]));
    const covered = new Set(
      gateCases.flatMap(({ rules, signals }) =>
        rules.flatMap(({ conditions }) =>
          conditions.map(({ field, operator }) => `${typeOf.get(field)} ${operator} ${field in signals}`),
        ),
      ),
    );
    for (const [type, operators] of Object.entries(operatorsByType)) {
      for (const operator of operators) {
        assert.ok(covered.has(`${type} ${operator} true`), `${type} ${operator} known`);
        assert.ok(covered.has(`${type} ${operator} false`), `${type} ${operator} unknown`);
      }
    }
  });
});
