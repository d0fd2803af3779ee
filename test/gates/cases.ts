import type { GateCase } from './case.ts';
import { canonicalCases } from './cases-canonical.ts';
import { inputCases } from './cases-input.ts';
import { listCases } from './cases-list.ts';
import { orderCases } from './cases-order.ts';
import { scalarCases } from './cases-scalar.ts';
import { stringCases } from './cases-string.ts';

/** The examples that tests, documentation and console share. */
export const gateCases: readonly GateCase[] = [
  ...scalarCases,
  ...stringCases,
  ...listCases,
  ...canonicalCases,
  ...inputCases,
  ...orderCases,
];
