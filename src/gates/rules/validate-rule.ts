import type { FieldErrors } from '../../errors.ts';
import { actions } from './action.ts';
import type { Condition } from './condition.ts';
import { characterCount, isPlainObject, isStorableText } from './json-value.ts';
import { createProblems, type Problems } from './problems.ts';
import { matchModes, type RuleDraft, ruleModes } from './rule.ts';
import { validateCondition } from './validate-condition.ts';

/** Limits of one rule. */
export const maxConditions = 50;
export const maxNameLength = 120;
export const maxTextLength = 500;

/** What the regular expressions of one rule may cost together. */
export const maxRuleRegexCost = 5000;

/** A value that holds to the contract, or everything that is wrong with it. */
export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: FieldErrors };

/** A new rule and where to insert it; without a position it is appended. */
export interface NewRule {
  readonly draft: RuleDraft;
  readonly position: number | null;
}

/** The fields of a rule to change, and where to move it. */
export interface RuleChange {
  readonly changes: Partial<RuleDraft>;
  readonly position: number | null;
}

/** Reads the body of a new rule; every problem is reported at once, its path after `prefix` (`rules.0.`). */
export function validateNewRule(body: unknown, prefix = ''): Validated<NewRule> {
  const problems = createProblems();
  const read = readRule(body, prefix, problems);
  const { name, action, conditions } = read.changes;
  if (isPlainObject(body)) {
    for (const key of ['name', 'action', 'conditions'] as const) {
      if (body[key] === undefined) problems.add(`${prefix}${key}`, `The ${key} field is required.`);
    }
  }
  if (problems.count > 0 || name === undefined || action === undefined || conditions === undefined) {
    return { ok: false, errors: problems.toFieldErrors() };
  }
  return {
    ok: true,
    value: { draft: { ...defaults, ...read.changes, name, action, conditions }, position: read.position },
  };
}

/** Reads the body of a change of a rule: any of its fields, each as strict as in a new rule. */
export function validateRuleChange(body: unknown): Validated<RuleChange> {
  const problems = createProblems();
  const read = readRule(body, '', problems);
  return problems.count > 0 ? { ok: false, errors: problems.toFieldErrors() } : { ok: true, value: read };
}

const defaults = {
  description: null,
  message: null,
  match: 'all',
  stop: false,
  enabled: true,
  mode: 'live',
} as const satisfies Partial<RuleDraft>;

/** One reader per key of the body; a reader that returns undefined has reported why. */
type Readers = {
  readonly [Key in keyof RuleDraft]: (input: unknown, path: string, problems: Problems) => RuleDraft[Key] | undefined;
};

const readers: Readers = {
  name: readName,
  description: readText,
  message: readText,
  match: oneOf(matchModes),
  action: oneOf(actions),
  stop: readBoolean,
  enabled: readBoolean,
  mode: oneOf(ruleModes),
  conditions: readConditions,
};

function readRule(body: unknown, prefix: string, problems: Problems): RuleChange {
  const changes: { -readonly [Key in keyof RuleDraft]?: RuleDraft[Key] } = {};
  if (!isPlainObject(body)) {
    problems.add(prefix === '' ? 'body' : prefix.slice(0, -1), 'A rule must be a JSON object.');
    return { changes, position: null };
  }
  const assign = <Key extends keyof RuleDraft>(key: Key): void => {
    const value = readers[key](body[key], prefix + key, problems);
    if (value !== undefined) changes[key] = value;
  };
  let position: number | null = null;
  for (const key of Object.keys(body)) {
    if (key === 'position') position = readPosition(body.position, `${prefix}position`, problems);
    else if (isRuleKey(key)) assign(key);
    else problems.add(prefix + key, 'This field is not known.');
  }
  return { changes, position };
}

function isRuleKey(key: string): key is keyof RuleDraft {
  return Object.hasOwn(readers, key);
}

function readName(input: unknown, path: string, problems: Problems): string | undefined {
  if (typeof input !== 'string') problems.add(path, 'The name must be a string.');
  else if (input === '' || characterCount(input) > maxNameLength) {
    problems.add(path, `The name must have 1 to ${maxNameLength} characters.`);
  } else if (!isStorableText(input)) problems.add(path, 'The name must be text without NUL characters.');
  else return input;
  return undefined;
}

function readText(input: unknown, path: string, problems: Problems): string | null | undefined {
  if (input === null) return null;
  if (typeof input !== 'string') problems.add(path, 'This field must be a string or null.');
  else if (characterCount(input) > maxTextLength) {
    problems.add(path, `This field must not have more than ${maxTextLength} characters.`);
  } else if (!isStorableText(input)) problems.add(path, 'This field must be text without NUL characters.');
  else return input;
  return undefined;
}

function readBoolean(input: unknown, path: string, problems: Problems): boolean | undefined {
  if (typeof input === 'boolean') return input;
  problems.add(path, 'This field must be true or false.');
  return undefined;
}

function oneOf<T extends string>(allowed: readonly T[]) {
  return (input: unknown, path: string, problems: Problems): T | undefined => {
    const found = allowed.find((candidate) => candidate === input);
    if (found === undefined) problems.add(path, `This field must be one of: ${allowed.join(', ')}.`);
    return found;
  };
}

function readPosition(input: unknown, path: string, problems: Problems): number | null {
  if (typeof input === 'number' && Number.isSafeInteger(input) && input >= 0) return input;
  problems.add(path, 'The position must be an integer, 0 or greater.');
  return null;
}

function readConditions(input: unknown, path: string, problems: Problems): readonly Condition[] | undefined {
  if (!Array.isArray(input)) {
    problems.add(path, 'The conditions must be a list.');
    return undefined;
  }
  if (input.length === 0 || input.length > maxConditions) {
    problems.add(path, `A rule must have 1 to ${maxConditions} conditions.`);
    return undefined;
  }
  const conditions: Condition[] = [];
  let regexCost = 0;
  for (const [index, item] of input.entries()) {
    const valid = validateCondition(item, `${path}.${index}`, problems);
    if (valid === null) continue;
    conditions.push(valid.condition);
    regexCost += valid.regexCost;
  }
  if (regexCost > maxRuleRegexCost) {
    problems.add(path, 'The regular expressions of this rule are too large together.');
  }
  return conditions.length === input.length ? conditions : undefined;
}
