import type { Action } from '../../src/gates/rules/action.ts';
import type { Condition } from '../../src/gates/rules/condition.ts';
import type { MatchMode, RuleMode } from '../../src/gates/rules/rule.ts';
import type { FieldValues } from './signals-from-fields.ts';

/** A rule of a case: a name, and only what differs from the defaults of a new rule. */
export interface CaseRule {
  readonly name: string;
  readonly action: Action;
  readonly conditions: readonly Condition[];
  readonly match?: MatchMode;
  readonly stop?: boolean;
  readonly enabled?: boolean;
  readonly mode?: RuleMode;
}

/** An example of a decision as plain data: tests run it, and documentation and console show it. */
export interface GateCase {
  readonly name: string;
  readonly rules: readonly CaseRule[];
  /** The known fields by path; all others are unknown. */
  readonly signals: FieldValues;
  readonly defaultAction: Action;
  readonly expected: {
    readonly action: Action;
    /** The name of the rule that decided. */
    readonly rule: string | null;
    /** The names of the shadow rules that matched. */
    readonly shadow: readonly string[];
  };
}

/** One condition on one field: what it says, the field's value (null is unknown), and whether it holds. */
export type ConditionRow = readonly [
  name: string,
  operator: Condition['operator'],
  value: Condition['value'],
  actual: FieldValues[string] | null,
  holds: boolean,
];

/** Cases of a gate with one rule that blocks on one condition. */
export function conditionCases(field: string, rows: readonly ConditionRow[]): GateCase[] {
  return rows.map(([name, operator, value, actual, holds]) => ({
    name: `${field}: ${name}`,
    rules: [
      {
        name: 'Rule',
        action: 'block',
        conditions: [value === undefined ? { field, operator } : { field, operator, value }],
      },
    ],
    signals: actual === null ? {} : { [field]: actual },
    defaultAction: 'allow',
    expected: { action: holds ? 'block' : 'allow', rule: holds ? 'Rule' : null, shadow: [] },
  }));
}
