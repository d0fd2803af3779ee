import type { ConditionField, CustomList } from '@signalpost/client';
import { type Catalogue, type Condition, fieldAt, operatorNamed } from '../gate.ts';

/** The condition on another field: it keeps the operator and the value where the field takes them. */
export function conditionOn(path: string, { operator, value }: Condition, catalogue: Catalogue): Condition {
  const field = fieldAt(catalogue.fields, path);
  const isKept = field?.operators.includes(operator) ?? false;
  const next = isKept ? operator : (field?.operators[0] ?? operator);
  return conditionWith(next, { field: path, operator, value: fits(value, field) ? value : undefined }, catalogue);
}

function fits(value: unknown, field: ConditionField | undefined): boolean {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (field?.values !== undefined) return field.values.some((known) => known === one);
  return field?.type === 'integer' ? typeof one === 'number' : typeof one === field?.type;
}

/** The condition with another operator: the value is converted to the shape that the operator takes. */
export function conditionWith(operator: string, { field: path, value }: Condition, catalogue: Catalogue): Condition {
  const one: unknown = (Array.isArray(value) ? value[0] : value) ?? firstValue(fieldAt(catalogue.fields, path));
  const many: readonly unknown[] = Array.isArray(value) ? value : one === '' ? [] : [one];
  switch (operatorNamed(catalogue, operator)?.value.kind) {
    case 'none':
      return { field: path, operator };
    case 'custom_list': {
      const lists = fittingLists(fieldAt(catalogue.fields, path), catalogue.lists ?? []);
      const kept = lists.find(({ id }) => id === value) ?? lists[0];
      return { field: path, operator, value: kept?.id ?? '' };
    }
    case 'list':
      return { field: path, operator, value: many };
    case 'range':
      return { field: path, operator, value: [one, many[1] ?? one] };
    default:
      return { field: path, operator, value: one };
  }
}

function firstValue(field: ConditionField | undefined): unknown {
  if (field?.values !== undefined) return field.values[0];
  if (field?.type === 'boolean') return true;
  return field?.type === 'integer' ? (field.minimum ?? 0) : '';
}

/** The lists that a field can be compared with. */
export function fittingLists(field: ConditionField | undefined, lists: readonly CustomList[]): readonly CustomList[] {
  return lists.filter(({ kind }) => field?.list_kinds?.includes(kind));
}
