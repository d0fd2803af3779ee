import type { Cells, Slot } from './cells.ts';
import { type Check, calledCheck, insideCheck, memberCheck, outsideCheck } from './check.ts';
import { compileText } from './compile-text.ts';
import type { Condition } from './condition.ts';
import { ConditionError, numberOf, numbersOf, textOf, textsOf } from './condition-value.ts';
import { type Field, type FieldOf, findField } from './fields.ts';

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
      return integerCheck(condition, cells.number(field), cells);
    case 'string':
      return stringCheck(condition, field, cells);
    case 'string[]':
      return listCheck(condition, field, cells);
  }
}

function stringCheck(condition: Condition, field: FieldOf<'string'>, cells: Cells): Check {
  switch (condition.operator) {
    case 'equals':
    case 'not_equals': {
      const { slot, codeOf } = cells.code(field);
      const code = codeOf(textOf(condition).toLowerCase());
      return condition.operator === 'equals' ? insideCheck(slot, code, code) : outsideCheck(slot, code, code);
    }
    case 'in':
      return oneOfCheck(condition, field, cells);
    default:
      return textTestCheck(condition, field, cells);
  }
}

/** A table may be this many times longer than the list it stands for: the codes of a list may lie far apart. */
const maxTableFactor = 8;

function oneOfCheck(condition: Condition, field: FieldOf<'string'>, cells: Cells): Check {
  const { slot, codeOf } = cells.code(field);
  const codes = textsOf(condition).map((text) => codeOf(text.toLowerCase()));
  const low = Math.min(...codes);
  const length = Math.max(...codes) - low + 1;
  if (codes.length === 0 || length > codes.length * maxTableFactor) return textTestCheck(condition, field, cells);
  const members = new Uint8Array(length);
  for (const code of codes) members[code - low] = 1;
  return memberCheck(slot, low, members);
}

function textTestCheck(condition: Condition, field: FieldOf<'string'>, cells: Cells): Check {
  const { test, negated, raw } = compileText(condition);
  const cell = raw ? cells.text(field) : cells.loweredText(field);
  return calledCheck(() => cell.value !== null && test(cell.value) !== negated);
}

/** A positive operator holds when any element satisfies it, a `not_…` one when none satisfies its positive twin. */
function listCheck(condition: Condition, field: FieldOf<'string[]'>, cells: Cells): Check {
  const { test, negated, raw } = compileText(condition);
  const cell = raw ? cells.list(field) : cells.loweredList(field);
  return calledCheck(() => cell.value !== null && cell.value.some(test) !== negated);
}

function presenceCheck(field: Field, cells: Cells, wanted: boolean): Check {
  if (field.type === 'boolean' || field.type === 'integer') {
    const slot = cells.number(field);
    const { numbers } = cells;
    return calledCheck(() => Number.isNaN(numbers[slot]) !== wanted);
  }
  const cell = field.type === 'string' ? cells.text(field) : cells.list(field);
  return calledCheck(() => (cell.value !== null) === wanted);
}

function booleanCheck(condition: Condition, slot: Slot): Check {
  const { operator, value } = condition;
  if (operator !== 'equals' || typeof value !== 'boolean') {
    throw new ConditionError(condition, 'it needs equals and a boolean');
  }
  return insideCheck(slot, Number(value), Number(value));
}

function integerCheck(condition: Condition, slot: Slot, cells: Cells): Check {
  switch (condition.operator) {
    case 'in':
    case 'not_in':
      return membershipCheck(condition, slot, cells);
    case 'between': {
      const [low, high] = numbersOf(condition);
      if (low === undefined || high === undefined) throw new ConditionError(condition, 'a range needs two numbers');
      return insideCheck(slot, low, high);
    }
    case 'equals':
      return insideCheck(slot, numberOf(condition), numberOf(condition));
    case 'not_equals':
      return outsideCheck(slot, numberOf(condition), numberOf(condition));
    case 'greater_than':
      return outsideCheck(slot, Number.NEGATIVE_INFINITY, numberOf(condition));
    case 'greater_than_or_equal':
      return insideCheck(slot, numberOf(condition), Number.POSITIVE_INFINITY);
    case 'less_than':
      return outsideCheck(slot, numberOf(condition), Number.POSITIVE_INFINITY);
    case 'less_than_or_equal':
      return insideCheck(slot, Number.NEGATIVE_INFINITY, numberOf(condition));
    default:
      throw new ConditionError(condition, 'no such operator for an integer');
  }
}

function membershipCheck(condition: Condition, slot: Slot, { numbers }: Cells): Check {
  const set = new Set<number | undefined>(numbersOf(condition));
  const wanted = condition.operator === 'in';
  return calledCheck(() => !Number.isNaN(numbers[slot]) && set.has(numbers[slot]) === wanted);
}
