import { type Action, type Condition, editable, type GateRules, type Rule } from './gate.ts';

/** A rule with a key that identifies it on the page: a new rule has no id yet. */
export interface DraftRule extends Rule {
  readonly key: string;
}

/** A gate that is being edited: its saved state, and its current state. */
export interface Draft {
  readonly revision: number;
  readonly base: GateRules<DraftRule>;
  readonly now: GateRules<DraftRule>;
}

let lastKey = 0;
const newKey = (): string => {
  lastKey += 1;
  return `new-${lastKey}`;
};

/** Starts a draft from the saved state. */
export function draftOf(revision: number, saved: GateRules): Draft {
  const base = withKeys(saved);
  return { revision, base, now: base };
}

function withKeys({ defaultAction, rules }: GateRules): GateRules<DraftRule> {
  return { defaultAction, rules: rules.map((rule) => ({ ...editable(rule), key: rule.id ?? newKey() })) };
}

const withRules = (draft: Draft, rules: readonly DraftRule[]): Draft => ({ ...draft, now: { ...draft.now, rules } });

/**
 * Changes properties of a rule. A new rule that becomes an exception moves to the top and becomes final, because final
 * rules above it would decide first and rules below it could override it.
 */
export function changeRule(draft: Draft, key: string, change: Partial<Rule>): Draft {
  const place = draft.now.rules.findIndex((rule) => rule.key === key);
  const rule = draft.now.rules[place];
  if (rule === undefined) return draft;
  const becomesException = rule.id === null && rule.action !== 'allow' && change.action === 'allow';
  const changed = { ...rule, ...(becomesException && { stop: true }), ...change };
  const next = withRules(draft, draft.now.rules.with(place, changed));
  return becomesException ? moveRule(next, place, 0) : next;
}

/** The initial state of a new rule. */
export const blankRule: Rule = {
  id: null,
  name: 'New rule',
  description: null,
  message: null,
  match: 'all',
  action: 'challenge',
  stop: false,
  enabled: true,
  mode: 'live',
  conditions: [{ field: 'domain.public_domain', operator: 'equals', value: true }],
};

interface Added {
  readonly draft: Draft;
  /** The new rule's key. */
  readonly key: string;
}

/** Adds a rule, an exception at the top and any other at the end. */
export function addRule(draft: Draft, rule: Rule = blankRule): Added {
  if (rule.action === 'allow') return addRuleOnTop(draft, rule);
  const key = newKey();
  return { draft: withRules(draft, [...draft.now.rules, { ...rule, id: null, key }]), key };
}

/** Adds a rule above all others. */
export function addRuleOnTop(draft: Draft, rule: Rule): Added {
  const key = newKey();
  return { draft: withRules(draft, [{ ...rule, id: null, key }, ...draft.now.rules]), key };
}

/** Adds a rule at the top that allows one address or domain, regardless of the rules below. */
export function addException(draft: Draft, subject: string): Added {
  const field = subject.includes('@') ? 'email.address' : 'domain.name';
  return addRule(draft, {
    ...blankRule,
    name: `Allow ${subject}`.slice(0, 120),
    action: 'allow',
    stop: true,
    conditions: [{ field, operator: 'equals', value: subject }],
  });
}

/** Adds a copy of a rule below it. */
export function copyRule(draft: Draft, key: string): Added {
  const at = draft.now.rules.findIndex((rule) => rule.key === key);
  const rule = draft.now.rules[at];
  if (rule === undefined) return { draft, key };
  const copy = { ...rule, id: null, key: newKey(), name: `${rule.name} (copy)`.slice(0, 120) };
  return { draft: withRules(draft, draft.now.rules.toSpliced(at + 1, 0, copy)), key: copy.key };
}

/** Removes a rule. */
export const removeRule = (draft: Draft, key: string): Draft =>
  withRules(
    draft,
    draft.now.rules.filter((rule) => rule.key !== key),
  );

/** Moves a rule from one position to another. */
export function moveRule(draft: Draft, from: number, to: number): Draft {
  const rule = draft.now.rules[from];
  if (rule === undefined || to < 0 || to >= draft.now.rules.length) return draft;
  return withRules(draft, draft.now.rules.toSpliced(from, 1).toSpliced(to, 0, rule));
}

/** Sets the action for when no rule matches. */
export const setDefault = (draft: Draft, defaultAction: Action): Draft => ({
  ...draft,
  now: { ...draft.now, defaultAction },
});

/** Reverts to the saved state. */
export const discard = (draft: Draft): Draft => ({ ...draft, now: draft.base });

/** Makes another user's saved state the base; the draft keeps its content, so saving it would undo theirs. */
export function onto(draft: Draft, revision: number, saved: GateRules): Draft {
  const base = withKeys(saved);
  return { revision, base, now: { ...draft.now, rules: draft.now.rules.map((rule) => known(rule, base)) } };
}

/** Makes an earlier state the draft; deleted rules return as new ones. */
export function goBackTo(draft: Draft, earlier: GateRules): Draft {
  const rules = earlier.rules.map((rule) => known({ ...editable(rule), key: rule.id ?? newKey() }, draft.base));
  return { ...draft, now: { defaultAction: earlier.defaultAction, rules } };
}

function known(rule: DraftRule, base: GateRules<DraftRule>): DraftRule {
  if (rule.id === null || base.rules.some(({ id }) => id === rule.id)) return rule;
  return { ...rule, id: null, key: newKey() };
}

/** Whether a rule is new or differs from its saved state. */
export const isChanged = ({ base }: Draft, rule: DraftRule): boolean =>
  JSON.stringify(rule) !== JSON.stringify(base.rules.find(({ key }) => key === rule.key));

/** The enabled shadow rules that are new or changed. */
export const changedShadowRules = (draft: Draft): readonly DraftRule[] =>
  draft.now.rules.filter((rule) => rule.enabled && rule.mode === 'shadow' && isChanged(draft, rule));

/** The same rules, some of them live. */
export const withLive = (gate: GateRules<DraftRule>, live: readonly DraftRule[]): GateRules<DraftRule> => ({
  ...gate,
  rules: gate.rules.map((rule) => (live.includes(rule) ? { ...rule, mode: 'live' } : rule)),
});

/** Whether two rules have the same conditions, in any order. */
export function hasSameConditions(one: Pick<Rule, 'match' | 'conditions'>, other: Pick<Rule, 'match' | 'conditions'>) {
  const textOf = ({ match, conditions }: typeof one) =>
    [conditions.length > 1 ? match : 'all', ...conditions.map(conditionText).sort()].join(' ');
  return textOf(one) === textOf(other);
}

const conditionText = ({ field, operator, value }: Condition): string =>
  JSON.stringify([field, operator, Array.isArray(value) ? value.toSorted() : value]);

/** Switches new rules to shadow mode. */
export const newRulesAsShadow = (draft: Draft): Draft =>
  withRules(
    draft,
    draft.now.rules.map((rule) => (rule.id === null ? { ...rule, mode: 'shadow' as const } : rule)),
  );
