import { AppError } from '../errors.ts';
import { rejectUnfitLists } from '../gates/custom-lists.ts';
import { rulesInput } from '../gates/gate-rules-input.ts';
import { presetRules } from '../gates/preset.ts';
import { createRegexBudget } from '../gates/regex/regex-budget.ts';
import { compileGate, type Evaluation } from '../gates/rules/evaluate.ts';
import type { RuleDraft } from '../gates/rules/rule.ts';
import { actionInput } from '../gates/rules/rule-input.ts';
import type { DecisionSignals } from '../gates/rules/signals.ts';
import { refused } from '../input/input.ts';
import { object } from '../input/object.ts';
import { createProblems } from '../input/problems.ts';
import type { GateRules, RuleDecision } from './signals.ts';

/** Evaluates rules on signals. */
export type CompiledRules = (signals: DecisionSignals) => RuleDecision;

const gateInput = object({ default_action: actionInput, rules: rulesInput }, { unknownFields: 'ignored' });

/** Regular expressions beyond their time budget are unknown, as in a gate of the service. */
const regexBudget = createRegexBudget(
  {
    monotonicMs: () => performance.now(),
    processorMs: () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    },
  },
  () => {},
);

const notRules = { rules: ["The rules must be a list, an object with default_action and rules, or 'signup'."] };

const signup = compiled({ defaultAction: 'allow', rules: presetRules('signup') });
const kept = new WeakMap<object, CompiledRules>();

/** Validates rules as the Gates API does and compiles them, once per object. */
export function compileRules(rules: GateRules): CompiledRules {
  if (rules === 'signup') return signup;
  if (typeof rules !== 'object' || rules === null) throw new AppError('validation_failed', { errors: notRules });
  const known = kept.get(rules);
  if (known !== undefined) return known;
  const problems = createProblems();
  const read = gateInput.read('rules' in rules ? rules : { default_action: 'allow', rules }, '', problems);
  if (read === refused) throw new AppError('validation_failed', { errors: problems.toFieldErrors() });
  // Custom lists belong to accounts of the service.
  const numbered = read.rules.map(({ draft }, index) => [`rules.${index}.`, draft] as const);
  rejectUnfitLists(numbered, () => undefined);
  const made = compiled({ defaultAction: read.default_action, rules: read.rules.map(({ draft }) => draft) });
  kept.set(rules, made);
  return made;
}

function compiled(gate: Parameters<typeof compileGate<RuleDraft>>[0]): CompiledRules {
  const evaluate = compileGate(gate, regexBudget);
  return (signals) => {
    const { action, matchedRule, shadowMatched }: Evaluation<RuleDraft> = evaluate(signals);
    return {
      action,
      matched_rule: matchedRule && { name: matchedRule.name, message: matchedRule.message },
      shadow_matched: shadowMatched.map(({ name }) => name),
    };
  };
}
