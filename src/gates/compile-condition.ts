import type { Cells, NumberCell } from './cells.ts';
import {
  type Check,
  calledCheck,
  insideCheck,
  otherTextCheck,
  outsideCheck,
  sameTextCheck,
  testedTextCheck,
} from './check.ts';
import { compileText } from './compile-text.ts';
import type { Condition } from './condition.ts';
import { ConditionError, numberOf, numbersOf, textOf } from './condition-value.ts';
import { type Field, type FieldOf, findField } from './field-catalogue.ts';

/** Turns a condition into a check. Unknown is not false: only `is_unknown` holds on a field that is null. */
export function compileCondition(condition: Condition, cells: Cells): Check {
  const field = findField(condition.field);
  if (field === undefined) throw new ConditionError(condition, 'there is no such field');
  if (condition.operator === 'is_known') return presenceCheck(field, cells, true);
  if (condition.operator === 'is_unknown') return presenceCheck(field, cells, false);
  switch (field.type) {
    case 'boolean':
      return booleanCheck(condition, cells.number(field));
    case 'integer':
      return integerCheck(condition, cells.number(field));
    case 'string':
      return stringCheck(condition, field, cells);
    case 'string[]':
      return listCheck(condition, field, cells);
  }
}

function stringCheck(condition: Condition, field: FieldOf<'string'>, cells: Cells): Check {
  const { operator } = condition;
  if (operator === 'equals') return sameTextCheck(cells.loweredText(field), textOf(condition).toLowerCase());
  if (operator === 'not_equals') return otherTextCheck(cells.loweredText(field), textOf(condition).toLowerCase());
  const { test, negated, raw } = compileText(condition);
  return testedTextCheck(raw ? cells.text(field) : cells.loweredText(field), test, negated);
}

/** A positive operator holds when any element satisfies it, a `not_…` one when none satisfies its positive twin. */
function listCheck(condition: Condition, field: FieldOf<'string[]'>, cells: Cells): Check {
  const { test, negated, raw } = compileText(condition);
  const cell = raw ? cells.list(field) : cells.loweredList(field);
  return calledCheck(() => cell.value !== null && cell.value.some(test) !== negated);
}

function presenceCheck(field: Field, cells: Cells, wanted: boolean): Check {
  if (field.type === 'boolean' || field.type === 'integer') {
    const cell = cells.number(field);
    return calledCheck(() => Number.isNaN(cell.value) !== wanted);
  }
  const cell = field.type === 'string' ? cells.text(field) : cells.list(field);
  return calledCheck(() => (cell.value !== null) === wanted);
}

function booleanCheck(condition: Condition, cell: NumberCell): Check {
  const { operator, value } = condition;
  if (operator !== 'equals' || typeof value !== 'boolean') {
    throw new ConditionError(condition, 'it needs equals and a boolean');
  }
  return insideCheck(cell, Number(value), Number(value));
}

function integerCheck(condition: Condition, cell: NumberCell): Check {
  switch (condition.operator) {
    case 'in':
    case 'not_in':
      return membershipCheck(condition, cell, condition.operator === 'in');
    case 'between': {
      const [low, high] = numbersOf(condition);
      if (low === undefined || high === undefined) throw new ConditionError(condition, 'a range needs two numbers');
      return insideCheck(cell, low, high);
    }
    case 'equals':
      return insideCheck(cell, numberOf(condition), numberOf(condition));
    case 'not_equals':
      return outsideCheck(cell, numberOf(condition), numberOf(condition));
    case 'greater_than':
      return outsideCheck(cell, Number.NEGATIVE_INFINITY, numberOf(condition));
    case 'greater_than_or_equal':
      return insideCheck(cell, numberOf(condition), Number.POSITIVE_INFINITY);
    case 'less_than':
      return outsideCheck(cell, numberOf(condition), Number.POSITIVE_INFINITY);
    case 'less_than_or_equal':
      return insideCheck(cell, Number.NEGATIVE_INFINITY, numberOf(condition));
    default:
      throw new ConditionError(condition, 'no such operator for an integer');
  }
}

function membershipCheck(condition: Condition, cell: NumberCell, wanted: boolean): Check {
  const set = new Set(numbersOf(condition));
  return calledCheck(() => !Number.isNaN(cell.value) && set.has(cell.value) === wanted);
}
