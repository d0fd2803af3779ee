import { isDeepStrictEqual } from 'node:util';
import { AppError, errorTable } from '../errors.ts';
import { createProblems } from '../input/problems.ts';
import { ulid } from '../ulid.ts';
import type { Gate } from './gate.ts';
import type { GateChange } from './gate-input.ts';
import type { Rule, RuleDraft } from './rules/rule.ts';
import type { NewRule, RuleChange } from './rules/rule-input.ts';

export const maxRules = 100;

/** Creates a rule with its own id and times. */
export function createRule(draft: RuleDraft, nowMs: number): Rule {
  return { ...draft, id: ulid(nowMs).toLowerCase(), createdAtMs: nowMs, updatedAtMs: nowMs };
}

/** A rule to save; the id of an existing rule replaces that rule, any other is new. */
export interface SentRule {
  readonly id: string | null;
  readonly draft: RuleDraft;
}

/** The rules of a new gate. */
export function createRules(drafts: readonly RuleDraft[], nowMs: number): readonly Rule[] {
  checkGateValues(drafts, 'rules');
  return drafts.map((draft) => createRule(draft, nowMs));
}

/** The gate with other texts, another default action, other rules. */
export function withChange(gate: Gate, { rules, expectedRevision, ...change }: GateChange, nowMs: number): Gate {
  mustBeAt(gate, expectedRevision);
  if (rules !== undefined) return withReplacedRules({ ...gate, ...change }, rules, nowMs);
  return Object.keys(change).length === 0 ? gate : { ...gate, ...change, updatedAtMs: nowMs };
}

/** Throws when the gate has changed since the writer read it; without an expected revision the write overwrites. */
function mustBeAt({ revision }: Gate, expected: number | undefined): void {
  if (expected === undefined || expected === revision) return;
  throw new AppError('gate_changed', {
    message: `${errorTable.gate_changed.message} It is at revision ${revision}.`,
    errors: { expected_revision: [`The gate is at revision ${revision}.`] },
  });
}

/** The gate with these rules and no others; one that has the id of a rule of the gate is that rule, changed or not. */
export function withReplacedRules(gate: Gate, sent: readonly SentRule[], nowMs: number): Gate {
  const known = new Map(gate.rules.map((rule) => [rule.id, rule]));
  const errors: Record<string, string[]> = {};
  const rules = sent.map(({ id: given, draft }, index) => {
    const id = given?.toLowerCase() ?? null;
    const before = id === null ? undefined : known.get(id);
    if (before === undefined) {
      if (gate.rules.some((rule) => rule.id === id)) errors[`rules.${index}.id`] = ['The rule is named twice.'];
      return createRule(draft, nowMs);
    }
    known.delete(before.id);
    const after = { ...before, ...draft };
    return isDeepStrictEqual(after, before) ? before : { ...after, updatedAtMs: nowMs };
  });
  if (Object.keys(errors).length > 0) throw new AppError('validation_failed', { errors });
  return withRules(gate, rules, nowMs, 'rules');
}

/** The gate with one more rule: at a position, or below all others. */
export function withNewRule(gate: Gate, { draft, position }: NewRule, nowMs: number): Gate {
  if (gate.rules.length >= maxRules) throw new AppError('rule_limit_reached');
  const rules = [...gate.rules];
  rules.splice(position ?? rules.length, 0, createRule(draft, nowMs));
  return withRules(gate, rules, nowMs);
}

/** The gate with one rule changed, moved or both. */
export function withChangedRule(gate: Gate, ruleId: string, change: RuleChange, nowMs: number): Gate {
  const index = indexOf(gate, ruleId);
  const { changes, position } = change;
  const before = gate.rules[index];
  if (before === undefined || (position === null && Object.keys(changes).length === 0)) return gate;
  const rules = gate.rules.filter((rule) => rule !== before);
  rules.splice(position ?? index, 0, { ...before, ...changes, updatedAtMs: nowMs });
  return withRules(gate, rules, nowMs);
}

/** The gate without one of its rules. */
export function withoutRule(gate: Gate, ruleId: string, nowMs: number): Gate {
  const index = indexOf(gate, ruleId);
  return withRules(
    gate,
    gate.rules.filter((_, place) => place !== index),
    nowMs,
  );
}

/** The gate with its rules in another order, in which each must be named once. */
export function withOrder(gate: Gate, ruleIds: readonly string[], nowMs: number): Gate {
  const byId = new Map(gate.rules.map((rule) => [rule.id, rule]));
  const problems = createProblems();
  const rules: Rule[] = [];
  for (const [index, id] of ruleIds.entries()) {
    const rule = byId.get(id.toLowerCase());
    if (rule === undefined) problems.add(`rule_ids.${index}`, errorTable.rule_not_found.message);
    else if (rules.includes(rule)) problems.add(`rule_ids.${index}`, 'The rule is named twice.');
    else rules.push(rule);
  }
  if (rules.length < gate.rules.length) problems.add('rule_ids', 'Every rule of the gate must be named once.');
  if (problems.count > 0) throw new AppError('validation_failed', { errors: problems.toFieldErrors() });
  return withRules(gate, rules, nowMs);
}

/** The position of a rule; throws if the gate has no such rule. */
export function indexOf(gate: Gate, ruleId: string): number {
  const index = gate.rules.findIndex((rule) => rule.id === ruleId.toLowerCase());
  if (index === -1) throw new AppError('rule_not_found');
  return index;
}

/** The gate with these rules, which must not be too large in total. */
export function withRules(gate: Gate, rules: readonly Rule[], nowMs: number, path = 'conditions'): Gate {
  checkGateValues(rules, path);
  return { ...gate, rules, updatedAtMs: nowMs };
}

/** The largest total size of a gate's condition values as JSON: the first decision reads all of them. */
const maxGateValueBytes = 1_048_576;

/** Rejects rules whose values are too large in total. */
function checkGateValues(rules: readonly RuleDraft[], path: string): void {
  const bytes = rules.reduce((sum, { conditions }) => {
    return conditions.reduce((inner, { value }) => inner + (value === undefined ? 0 : jsonBytes(value)), sum);
  }, 0);
  if (bytes <= maxGateValueBytes) return;
  const [most, has] = [maxGateValueBytes, bytes].map((count) => count.toLocaleString('en'));
  throw new AppError('validation_failed', {
    errors: {
      [path]: [`The values of the rules of a gate may be ${most} bytes of JSON (1 MB) together; these are ${has}.`],
    },
  });
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
