import type { Operator } from './operators.ts';

/** The value that a condition compares with; the field's type and the operator determine its form. */
export type ConditionValue = boolean | number | string | readonly string[] | readonly number[];

/** One test of one signal. `is_known` and `is_unknown` carry no value. */
export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly value?: ConditionValue;
}
