import type { Gate } from './gate.ts';
import { type Preset, presets } from './preset.ts';
import { type Action, actions } from './rules/action.ts';
import { createProblems, type Problems } from './rules/problems.ts';
import { type Validated, validateRuleChange } from './rules/validate-rule.ts';

/** A new gate as its author writes it. */
export interface NewGate extends Pick<Gate, 'name' | 'description' | 'defaultAction'> {
  readonly preset: Preset;
}

/** The fields of a gate to change. */
export type GateChange = Partial<Pick<Gate, 'name' | 'description' | 'defaultAction'>>;

type Body = Readonly<Record<string, unknown>>;

/** Reads the body of a new gate; every problem is reported at once. */
export function validateNewGate(body: Body): Validated<NewGate> {
  const problems = createProblems();
  const change = readGate(body, ['preset'], problems);
  if (body.name === undefined) problems.add('name', 'The name field is required.');
  const preset = body.preset === undefined ? 'signup' : oneOf(body.preset, presets, 'preset', problems);
  const { name } = change;
  if (problems.count > 0 || name === undefined || preset === undefined) {
    return { ok: false, errors: problems.toFieldErrors() };
  }
  return { ok: true, value: { description: null, defaultAction: 'allow', ...change, name, preset } };
}

/** Reads the body of a change of a gate. */
export function validateGateChange(body: Body): Validated<GateChange> {
  const problems = createProblems();
  const value = readGate(body, [], problems);
  return problems.count > 0 ? { ok: false, errors: problems.toFieldErrors() } : { ok: true, value };
}

/** Reads an action at a path of a body. */
export function readAction(input: unknown, path: string, problems: Problems): Action | undefined {
  return oneOf(input, actions, path, problems);
}

function readGate(body: Body, others: readonly string[], problems: Problems): GateChange {
  const known = ['name', 'description', 'default_action', ...others];
  for (const key of Object.keys(body)) {
    if (!known.includes(key)) problems.add(key, 'This field is not known.');
  }
  const texts = readTexts(body, problems);
  if (body.default_action === undefined) return texts;
  const defaultAction = readAction(body.default_action, 'default_action', problems);
  return defaultAction === undefined ? texts : { ...texts, defaultAction };
}

/** The name and description of a gate are held to the rules of those of a rule. */
function readTexts(body: Body, problems: Problems): GateChange {
  const given = Object.entries(body).filter(([key]) => key === 'name' || key === 'description');
  const read = validateRuleChange(Object.fromEntries(given));
  if (read.ok) return read.value.changes;
  for (const [path, messages] of Object.entries(read.errors)) {
    for (const message of messages) problems.add(path, message);
  }
  return {};
}

function oneOf<T extends string>(
  input: unknown,
  allowed: readonly T[],
  path: string,
  problems: Problems,
): T | undefined {
  const found = allowed.find((candidate) => candidate === input);
  if (found === undefined) problems.add(path, `This field must be one of: ${allowed.join(', ')}.`);
  return found;
}
