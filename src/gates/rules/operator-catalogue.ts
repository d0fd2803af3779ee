import type { Input } from '../../input/input.ts';
import { findOperator, type Operator, type OperatorRow, operatorNames } from './operators.ts';

/** Kinds of condition values: none, one, several, a low and a high number, or the id of a custom list. */
export const valueKinds = ['none', 'one', 'list', 'range', 'custom_list'] as const;

/** The shape of a condition's value, apart from the type of its field. */
export interface ValueShape {
  readonly kind: (typeof valueKinds)[number];
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Of each text. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression. */
  readonly isPattern: boolean;
}

/** Everything a rule editor needs to offer an operator. */
export interface OperatorDescription {
  readonly name: Operator;
  readonly label: string;
  /** Whether the condition negates the comparison. */
  readonly isNegated: boolean;
  readonly value: ValueShape;
}

/** Every operator, in the order of the documentation. */
export function operatorCatalogue(): OperatorDescription[] {
  return operatorNames.map((name) => {
    const row = findOperator(name);
    const { label, isNegated = false, holdsOnUnknown } = row;
    // Presence operators are negated internally only.
    return { name, label, isNegated: isNegated && holdsOnUnknown === undefined, value: shapeOf(row) };
  });
}

interface ValueSchema {
  readonly type?: string;
  readonly items?: ValueSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** The limits on texts apply only to text fields; everything else is the same for every type of field. */
function shapeOf(row: OperatorRow): ValueShape {
  if (row.isList === true) return { kind: 'custom_list', isPattern: false };
  const inputs: readonly (Input<unknown> | undefined)[] = [row.string?.plain, row.integer, row.boolean];
  const schema: ValueSchema = inputs.find((input) => input !== undefined)?.schema ?? {};
  const isPattern = row.isPattern ?? false;
  if (schema.type === undefined) return { kind: 'none', isPattern };
  const { minLength, maxLength } = schema.items ?? schema;
  const lengths = {
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
  if (schema.type !== 'array') return { kind: 'one', ...lengths, isPattern };
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const kind = minItems === 2 && maxItems === 2 ? 'range' : 'list';
  return { kind, minItems, maxItems, ...lengths, isPattern };
}
