import type { RuleHealth } from '../../api/gate.ts';
import { grouped } from '../../text/numbers.ts';
import { badShare } from '../../text/outcomes/outcome-shares.ts';
import type { Rule } from '../gate.ts';
import type { Warning } from './warnings.ts';

const dayMs = 86_400_000;
/** Days without a match after which a rule may be obsolete. */
const quietDays = 14;

/** A rule's record in words: notes, and warnings that need attention. */
export interface HealthTexts {
  readonly notes: readonly string[];
  readonly warnings: readonly Warning[];
  /** The effect that a shadow rule would have had; null without a match. */
  readonly shadow: string | null;
}

/** The record of a saved rule in words: last match, outcomes, and whether it is idle or ready to go live. */
export function healthTexts(rule: Rule, health: RuleHealth | undefined, now: number = Date.now()): HealthTexts {
  if (health === undefined || !rule.enabled) return { notes: [], warnings: [], shadow: null };
  const quiet = health.last_match_on === null ? null : daysBetween(Date.parse(health.last_match_on), now);
  const shares = badShare(health);
  const outcomes = shares === null ? [] : [shares];
  const shadow = rule.mode === 'shadow' ? shadowText(rule, health, now) : null;
  if (quiet === null || quiet < quietDays) {
    return { notes: [lastMatch(quiet), ...outcomes], warnings: [], shadow };
  }
  return { notes: outcomes, warnings: [{ text: `No match for ${quiet} days.` }], shadow: null };
}

function lastMatch(quiet: number | null): string {
  if (quiet === null) return 'no match yet';
  if (quiet <= 1) return quiet === 0 ? 'last match today' : 'last match yesterday';
  return `last match ${quiet} days ago`;
}

function shadowText({ action }: Rule, { days, mode_since }: RuleHealth, now: number): string | null {
  const age = daysBetween(Date.parse(mode_since), now);
  const counted = days.slice(-Math.min(days.length, age + 1));
  const matches = counted.reduce((sum, count) => sum + count, 0);
  if (matches === 0) return null;
  const since = age === 0 ? 'since today' : `for ${age === 1 ? '1 day' : `${age} days`}`;
  const span = age < days.length ? '' : ` in the last ${days.length} days`;
  return `In shadow ${since}: would ${action} ${grouped(matches)}${span}.`;
}

/** UTC days, as the service counts them. */
const daysBetween = (from: number, to: number): number =>
  Math.max(0, Math.floor(to / dayMs) - Math.floor(from / dayMs));
