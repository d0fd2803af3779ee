import { isPlainObject } from '../../input/json-value.ts';
import type { YieldWhenDue } from '../../platform/yielding.ts';
import { compileRegex, type Regex } from '../regex/regex.ts';
import { patternCosts } from './gate-patterns.ts';
import { findOperator } from './operators.ts';

/** A gate has no more; lists that are longer are refused before their items are read. */
const maxConditions = 5_000;

/** The compiled patterns of conditions that are not read yet, for as long as the conditions exist. */
const regexes = new WeakMap<object, Regex>();

/** Compiles the regular expressions in a body of rules, and counts their costs, before the body is read, with yields in between: each takes milliseconds. */
export async function compilePatternsAhead(body: unknown, yieldWhenDue: YieldWhenDue): Promise<void> {
  for (const condition of conditionsOf(body).take(maxConditions)) {
    const { operator, value } = condition;
    if (typeof operator !== 'string' || typeof value !== 'string') continue;
    if (findOperator(operator)?.isPattern !== true) continue;
    regexes.set(condition, compileRegex(value));
    patternCosts(condition);
    const turn = yieldWhenDue();
    if (turn !== null) await turn;
  }
}

/** Does slow work on a body, with yields, before the body is read synchronously. */
export type PrepareBody = (body: unknown) => Promise<void>;

/** The result of compiling a condition's pattern ahead; undefined when it was not. */
export function regexAhead(condition: object): Regex | undefined {
  return regexes.get(condition);
}

/** The conditions of a rule, or of the rules of a gate; the input rejects any other body later. */
function* conditionsOf(body: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (!isPlainObject(body)) return;
  for (const rule of [body, ...listIn(body.rules)]) {
    if (!isPlainObject(rule)) continue;
    for (const condition of listIn(rule.conditions)) if (isPlainObject(condition)) yield condition;
  }
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
