import { AppError } from '../../errors.ts';
import { maxRules } from '../gate-edits.ts';
import { readSpan, type Span } from '../query-value.ts';
import type { Action } from '../rules/action.ts';
import { checkGateRegexCost } from '../rules/gate-regex-cost.ts';
import { isPlainObject } from '../rules/json-value.ts';
import { createProblems, type Problems } from '../rules/problems.ts';
import type { RuleDraft } from '../rules/rule.ts';
import { validateNewRule } from '../rules/validate-rule.ts';
import { readAction } from '../validate-gate.ts';

/** Rules to try over what was decided. */
export interface BacktestRequest extends Span {
  readonly rules: readonly RuleDraft[];
  /** Null takes the gate's own. */
  readonly defaultAction: Action | null;
}

/** What an answer shows of a rule and its author does not write: rules that were read may be sent as they are. */
const readOnlyKeys = ['id', 'position', 'created_at', 'updated_at'];

/** Reads the body of a backtest; throws with every problem at once. */
export function readBacktest(body: Readonly<Record<string, unknown>>): BacktestRequest {
  const problems = createProblems();
  for (const key of Object.keys(body)) {
    if (!['rules', 'default_action', 'from', 'to'].includes(key)) problems.add(key, 'This field is not known.');
  }
  const rules = readRules(body.rules, problems);
  const defaultAction =
    body.default_action === undefined ? null : readAction(body.default_action, 'default_action', problems);
  const span = readSpan({ from: body.from, to: body.to }, problems);
  if (problems.count > 0) throw new AppError('validation_failed', { errors: problems.toFieldErrors() });
  checkGateRegexCost(rules, 'rules');
  return { rules, defaultAction: defaultAction ?? null, ...span };
}

function readRules(input: unknown, problems: Problems): RuleDraft[] {
  if (!Array.isArray(input)) {
    problems.add('rules', input === undefined ? 'The rules field is required.' : 'The rules must be a list.');
    return [];
  }
  if (input.length > maxRules) throw new AppError('rule_limit_reached');
  return input.flatMap((item: unknown, index) => {
    const read = validateNewRule(withoutReadOnly(item), `rules.${index}.`);
    if (read.ok) return [read.value.draft];
    for (const [path, messages] of Object.entries(read.errors)) {
      for (const message of messages) problems.add(path, message);
    }
    return [];
  });
}

function withoutReadOnly(item: unknown): unknown {
  if (!isPlainObject(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([key]) => !readOnlyKeys.includes(key)));
}
