import type { Operator } from './operators.ts';

/** What a condition compares with; which form is allowed follows from the field's type and the operator. */
export type ConditionValue = boolean | number | string | readonly string[] | readonly number[];

/** One test of one signal. `is_known` and `is_unknown` carry no value. */
export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly value?: ConditionValue;
}
