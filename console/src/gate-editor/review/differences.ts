import { conditionText, ruleText, valueText } from '../../text/conditions.ts';
import type { DraftRule } from '../draft.ts';
import type { Catalogue, Condition, GateRules, Rule } from '../gate.ts';

/** One difference, in words. */
export interface Difference {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  readonly text: string;
}

/** The differences between two states of a gate, rule by rule, in the order of the newer one. */
export function differences(
  before: GateRules<DraftRule>,
  after: GateRules<DraftRule>,
  catalogue: Catalogue,
): Difference[] {
  const old = new Map(before.rules.map((rule) => [rule.key, rule]));
  const kept = new Set(after.rules.map(({ key }) => key));
  const moved = movedKeys(before, after);
  const found: Difference[] = [];
  for (const rule of before.rules) {
    if (!kept.has(rule.key)) found.push({ kind: 'removed', text: `${quoted(rule)} is removed.` });
  }
  for (const [place, rule] of after.rules.entries()) {
    const earlier = old.get(rule.key);
    if (earlier === undefined) {
      found.push({
        kind: 'added',
        text: `${quoted(rule)} is new: ${ruleEffect(rule)} when ${ruleText(rule, catalogue)}.`,
      });
      continue;
    }
    for (const text of ruleChanges(earlier, rule, catalogue)) found.push({ kind: 'changed', text });
    if (moved.has(rule.key)) found.push({ kind: 'moved', text: `${quoted(rule)} is now at position ${place + 1}.` });
  }
  if (before.defaultAction !== after.defaultAction) {
    const text = `When no rule matches: ${after.defaultAction} instead of ${before.defaultAction}.`;
    found.push({ kind: 'changed', text });
  }
  return found;
}

const quoted = ({ name }: Rule): string => (name.trim() === '' ? 'An unnamed rule' : `“${name}”`);

const effects = { allow: 'allows', block: 'blocks', challenge: 'challenges' } as const;

/** The effect of a rule that matches. */
export function ruleEffect({ action, mode, stop, enabled }: Rule): string {
  const does = mode === 'shadow' ? `only counts what it would ${action}` : effects[action];
  return `${enabled ? '' : 'disabled, '}${does}${stop && mode === 'live' ? ' (final)' : ''}`;
}

function ruleChanges(before: Rule, after: Rule, catalogue: Catalogue): string[] {
  const name = quoted(after);
  const texts: string[] = [];
  if (before.name !== after.name) texts.push(`${quoted(before)} is renamed to ${name}.`);
  if (before.action !== after.action) texts.push(`${name} ${effects[after.action]} instead of ${before.action}.`);
  if (before.mode !== after.mode)
    texts.push(after.mode === 'live' ? `${name} goes live: it decides.` : `${name} only counts (shadow).`);
  if (before.enabled !== after.enabled) texts.push(`${name} is ${after.enabled ? 'enabled' : 'disabled'}.`);
  if (before.stop !== after.stop) {
    texts.push(after.stop ? `${name} is final: no rule below overrides it.` : `${name} is no longer final.`);
  }
  texts.push(...conditionChanges(before, after, catalogue).map((text) => `${name} ${text}`));
  texts.push(...textChange(`The message of ${name}`, before.message, after.message));
  texts.push(...textChange(`The description of ${name}`, before.description, after.description));
  return texts;
}

/** A changed text with its earlier one. */
export function textChange(what: string, before: string | null, after: string | null): string[] {
  if (before === after) return [];
  if (after === null) return [ended(`${what} is removed; it was “${before}”`)];
  return [ended(`${what} is now “${after}”${before === null ? '' : ` instead of “${before}”`}`)];
}

/** A sentence that ends with a quotation needs no second full stop. */
const ended = (text: string): string => (/[.!?…]”$/.test(text) ? text : `${text}.`);

/** The changes to a rule's conditions, each as the end of a sentence about the rule. */
function conditionChanges(before: Rule, after: Rule, catalogue: Catalogue): string[] {
  if (before.match !== after.match) {
    return [`now matches when ${ruleText(after, catalogue)}; before, when ${ruleText(before, catalogue)}.`];
  }
  const without = (some: readonly Condition[], others: readonly Condition[]) =>
    some.filter((one) => !others.some((other) => JSON.stringify(other) === JSON.stringify(one)));
  const gone = without(before.conditions, after.conditions);
  const texts: string[] = [];
  const text = (condition: Condition) => conditionText(condition, catalogue);
  const needs = after.match === 'all' ? 'requires that' : 'matches when';
  for (const condition of without(after.conditions, before.conditions)) {
    const at = gone.findIndex(({ field, operator }) => field === condition.field && operator === condition.operator);
    const [earlier] = at === -1 ? [] : gone.splice(at, 1);
    if (earlier === undefined) texts.push(`also ${needs} ${text(condition)}.`);
    else texts.push(`${needs} ${text(condition)}${valueChange(earlier, condition)}.`);
  }
  return [...texts, ...gone.map((condition) => `no longer ${needs} ${text(condition)}.`)];
}

/** The values of a list that were added and removed, or the earlier value. */
function valueChange({ value: before, field }: Condition, { value: after }: Condition): string {
  if (!Array.isArray(before) || !Array.isArray(after)) return ` instead of ${valueText(before, field)}`;
  const added = after.filter((value) => !before.includes(value));
  const removed = before.filter((value) => !after.includes(value));
  const parts = [
    added.length === 0 ? '' : `adds ${valueText(added, field)}`,
    removed.length === 0 ? '' : `removes ${valueText(removed, field)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? ' in another order' : ` (${parts.join('; ')})`;
}

/** The fewest rules that can have moved: all but the longest increasing subsequence. */
function movedKeys(before: GateRules<DraftRule>, after: GateRules<DraftRule>): Set<string> {
  const places = new Map(before.rules.map(({ key }, place) => [key, place]));
  const stayed = after.rules.map(({ key }) => key).filter((key) => places.has(key));
  const runs: string[][] = [];
  for (const key of stayed) {
    const place = places.get(key) ?? 0;
    const best = runs
      .filter((run) => (places.get(run.at(-1) ?? '') ?? -1) < place)
      .reduce<string[]>((longest, run) => (run.length > longest.length ? run : longest), []);
    runs.push([...best, key]);
  }
  const longest = runs.reduce((one, other) => (other.length > one.length ? other : one), []);
  return new Set(stayed.filter((key) => !longest.includes(key)));
}
