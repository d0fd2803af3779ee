import { wireTime } from '../http/wire-time.ts';
import type { Gate, GateSummary } from './gate.ts';
import type { PlacedRule } from './gates.ts';

/** A gate as a list shows it. */
export function gateSummaryBody(gate: GateSummary) {
  return {
    id: gate.id,
    name: gate.name,
    description: gate.description,
    default_action: gate.defaultAction,
    wait: gate.wait,
    rules_count: gate.rulesCount,
    created_at: wireTime(gate.createdAtMs),
    updated_at: wireTime(gate.updatedAtMs),
  };
}

/** A gate read alone, with its rules. */
export function gateBody(gate: Gate) {
  return { ...gateSummaryBody({ ...gate, rulesCount: gate.rules.length }), rules: rulesBody(gate) };
}

/** The rules of a gate in order. */
export function rulesBody(gate: Pick<Gate, 'rules'>) {
  return gate.rules.map((rule, position) => ruleBody({ rule, position }));
}

/** A rule and its place. */
export function ruleBody({ rule, position }: PlacedRule) {
  return {
    id: rule.id,
    name: rule.name,
    description: rule.description,
    message: rule.message,
    match: rule.match,
    action: rule.action,
    stop: rule.stop,
    enabled: rule.enabled,
    mode: rule.mode,
    conditions: rule.conditions,
    position,
    created_at: wireTime(rule.createdAtMs),
    updated_at: wireTime(rule.updatedAtMs),
  };
}
