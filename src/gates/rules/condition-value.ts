import type { Condition } from './condition.ts';

/** A condition that cannot be compiled: it was never validated, or was kept by a version with other fields. */
export class ConditionError extends Error {
  constructor(condition: Condition, reason: string) {
    super(`The condition on ${condition.field} (${condition.operator}) cannot be compiled: ${reason}`);
    this.name = 'ConditionError';
  }
}

/** The condition's value as a string. */
export function textOf(condition: Condition): string {
  if (typeof condition.value === 'string') return condition.value;
  throw new ConditionError(condition, 'it needs a string');
}

/** The condition's value as a number. */
export function numberOf(condition: Condition): number {
  if (typeof condition.value === 'number') return condition.value;
  throw new ConditionError(condition, 'it needs a number');
}

/** The condition's value as a list of strings. */
export function textsOf(condition: Condition): string[] {
  return listOf(condition, (item) => typeof item === 'string');
}

/** The condition's value as a list of numbers. */
export function numbersOf(condition: Condition): number[] {
  return listOf(condition, (item) => typeof item === 'number');
}

function listOf<T extends string | number>(condition: Condition, is: (item: unknown) => item is T): T[] {
  const { value } = condition;
  if (typeof value !== 'object') throw new ConditionError(condition, 'it needs a list');
  const items = [...value].filter(is);
  if (items.length !== value.length) throw new ConditionError(condition, 'its list mixes types');
  return items;
}
