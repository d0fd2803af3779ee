import { actions, type Condition, editable, type Rule } from '../gate.ts';

/** A rule as JSON, without its id: pasted elsewhere it becomes a new rule. */
export function ruleJson(rule: Rule): string {
  const { id: _id, ...rest } = editable(rule);
  return JSON.stringify(rest, null, 2);
}

/** Parses a rule written by hand, or returns its problem; the service validates fields, operators and values. */
export function readRuleJson(text: string, before: Rule): { readonly rule: Rule } | { readonly problem: string } {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return { problem: 'A rule must be an object.' };
  const given = read as Record<string, unknown>;
  for (const [name, isRight, expected] of shapes) {
    if (given[name] !== undefined && !isRight(given[name])) return { problem: `${name} must be ${expected}.` };
  }
  const unknown = Object.keys(given).find((name) => !shapes.some(([known]) => known === name));
  if (unknown !== undefined) return { problem: `Unknown property ${unknown}.` };
  return { rule: { ...before, description: null, message: null, ...given } as Rule };
}

type Shape = readonly [name: keyof Rule, isRight: (value: unknown) => boolean, expected: string];

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const oneOf =
  (...words: readonly string[]) =>
  (value: unknown): boolean =>
    words.some((word) => word === value);
const isCondition = (value: unknown): value is Condition =>
  typeof value === 'object' &&
  value !== null &&
  isText(Reflect.get(value, 'field')) &&
  isText(Reflect.get(value, 'operator'));

const shapes: readonly Shape[] = [
  ['name', isText, 'a text'],
  ['description', isTextOrNull, 'a text or null'],
  ['message', isTextOrNull, 'a text or null'],
  ['match', oneOf('all', 'any'), '"all" or "any"'],
  ['action', oneOf(...actions), '"allow", "challenge" or "block"'],
  ['stop', isFlag, 'true or false'],
  ['enabled', isFlag, 'true or false'],
  ['mode', oneOf('live', 'shadow'), '"live" or "shadow"'],
  [
    'conditions',
    (value) => Array.isArray(value) && value.length > 0 && value.every(isCondition),
    'a list of conditions, each with a field and an operator',
  ],
];
