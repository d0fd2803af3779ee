import { type Action, editable, type GateRules, type Rule } from './gate.ts';

/** A rule with a name of its own on the page, which a new rule has before the service gives it an id. */
export interface DraftRule extends Rule {
  readonly key: string;
}

/** A gate that is being changed: what it is made from, and what it is now. */
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

/** A gate as the service has it, ready to be changed. */
export function draftOf(revision: number, saved: GateRules): Draft {
  const base = withKeys(saved);
  return { revision, base, now: base };
}

function withKeys({ defaultAction, rules }: GateRules): GateRules<DraftRule> {
  return { defaultAction, rules: rules.map((rule) => ({ ...editable(rule), key: rule.id ?? newKey() })) };
}

const withRules = (draft: Draft, rules: readonly DraftRule[]): Draft => ({ ...draft, now: { ...draft.now, rules } });

/** Changes some of a rule. */
export const changeRule = (draft: Draft, key: string, change: Partial<Rule>): Draft =>
  withRules(
    draft,
    draft.now.rules.map((rule) => (rule.key === key ? { ...rule, ...change } : rule)),
  );

/** A rule to begin with: it blocks nobody until somebody says whom. */
export const blankRule: Rule = {
  id: null,
  name: '',
  description: null,
  message: null,
  match: 'all',
  action: 'challenge',
  stop: false,
  enabled: true,
  mode: 'live',
  conditions: [{ field: 'domain.public_domain', operator: 'equals', value: true }],
};

/** Adds a rule at the end; the key is that of the new rule. */
export function addRule(draft: Draft, rule: Rule = blankRule): { readonly draft: Draft; readonly key: string } {
  const key = newKey();
  return { draft: withRules(draft, [...draft.now.rules, { ...rule, id: null, key }]), key };
}

/** Puts a rule on top that lets one address or domain through, whatever the rules below say. */
export function addException(draft: Draft, subject: string): { readonly draft: Draft; readonly key: string } {
  const key = newKey();
  const field = subject.includes('@') ? 'email.address' : 'domain.name';
  const rule: DraftRule = {
    ...blankRule,
    key,
    name: `Let ${subject} through`.slice(0, 120),
    action: 'allow',
    stop: true,
    conditions: [{ field, operator: 'equals', value: subject }],
  };
  return { draft: withRules(draft, [rule, ...draft.now.rules]), key };
}

/** Puts a copy of a rule below it. */
export function copyRule(draft: Draft, key: string): { readonly draft: Draft; readonly key: string } {
  const at = draft.now.rules.findIndex((rule) => rule.key === key);
  const rule = draft.now.rules[at];
  if (rule === undefined) return { draft, key };
  const copy = { ...rule, id: null, key: newKey(), name: `${rule.name} (copy)`.slice(0, 120) };
  return { draft: withRules(draft, draft.now.rules.toSpliced(at + 1, 0, copy)), key: copy.key };
}

/** Takes a rule away. */
export const removeRule = (draft: Draft, key: string): Draft =>
  withRules(
    draft,
    draft.now.rules.filter((rule) => rule.key !== key),
  );

/** Moves the rule at one place to another. */
export function moveRule(draft: Draft, from: number, to: number): Draft {
  const rule = draft.now.rules[from];
  if (rule === undefined || to < 0 || to >= draft.now.rules.length) return draft;
  return withRules(draft, draft.now.rules.toSpliced(from, 1).toSpliced(to, 0, rule));
}

/** Says what happens when no rule matched. */
export const setDefault = (draft: Draft, defaultAction: Action): Draft => ({
  ...draft,
  now: { ...draft.now, defaultAction },
});

/** Back to what the service has. */
export const discard = (draft: Draft): Draft => ({ ...draft, now: draft.base });

/** Lets what somebody else saved be the base; what is drafted stays as it is, so it would undo theirs. */
export function onto(draft: Draft, revision: number, saved: GateRules): Draft {
  const base = withKeys(saved);
  return { revision, base, now: { ...draft.now, rules: draft.now.rules.map((rule) => known(rule, base)) } };
}

/** Lets an earlier state be the draft; rules that are gone come back as new ones. */
export function goBackTo(draft: Draft, earlier: GateRules): Draft {
  const rules = earlier.rules.map((rule) => known({ ...editable(rule), key: rule.id ?? newKey() }, draft.base));
  return { ...draft, now: { defaultAction: earlier.defaultAction, rules } };
}

function known(rule: DraftRule, base: GateRules<DraftRule>): DraftRule {
  if (rule.id === null || base.rules.some(({ id }) => id === rule.id)) return rule;
  return { ...rule, id: null, key: newKey() };
}

/** New rules that would decide, as rules that only count. */
export const newRulesAsShadow = (draft: Draft): Draft =>
  withRules(
    draft,
    draft.now.rules.map((rule) => (rule.id === null ? { ...rule, mode: 'shadow' as const } : rule)),
  );
