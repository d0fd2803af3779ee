const stringOperators = [
  'equals',
  'not_equals',
  'in',
  'not_in',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'matches',
  'not_matches',
  'is_known',
  'is_unknown',
] as const;

const integerOperators = [
  'equals',
  'not_equals',
  'in',
  'not_in',
  'greater_than',
  'greater_than_or_equal',
  'less_than',
  'less_than_or_equal',
  'between',
  'is_known',
  'is_unknown',
] as const;

/** The operators a condition may use, by the type of its field. */
export const operatorsByType = {
  boolean: ['equals', 'is_known', 'is_unknown'],
  string: stringOperators,
  integer: integerOperators,
  'string[]': stringOperators,
} as const;

/** The type of a condition field. */
export type FieldType = keyof typeof operatorsByType;

/** How a condition compares its field with its value. */
export type Operator = (typeof operatorsByType)[FieldType][number];
