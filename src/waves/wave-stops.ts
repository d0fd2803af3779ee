import type { Rule } from '../gates/rules/rule.ts';
import type { LoggedDecision } from './wave.ts';

/** A rule that turned decisions of a wave away; null for the default action of its gate. */
export interface Stop {
  readonly gateId: string;
  readonly rule: { readonly id: string; readonly name: string } | null;
  /** When it first did. */
  readonly sinceMs: number;
  readonly turnedAway: number;
}

/** The rules that blocked or challenged decisions of a wave, the one with the most first. */
export function stopsOf(decisions: readonly LoggedDecision[]): Stop[] {
  const turnedAway = decisions.filter(({ action }) => action !== 'allow');
  const byRule = Map.groupBy(turnedAway, ({ gateId, ruleId }) => `${gateId} ${ruleId}`);
  return [...byRule.values()]
    .flatMap((some) => {
      const first = some.reduce((one, other) => (other.createdAtMs < one.createdAtMs ? other : one));
      const { gateId, ruleId, createdAtMs } = first;
      const rule = ruleId === null ? null : { id: ruleId, name: first.read().ruleName ?? '' };
      return { gateId, rule, sinceMs: createdAtMs, turnedAway: some.length };
    })
    .toSorted((one, other) => other.turnedAway - one.turnedAway);
}

const endMs = 600_000;

/**
 * Whether rules of the gates stop the wave: every rule that decided in the ten minutes before its last address is still live, and has
 * no condition on `traffic.in_wave`. A gate missing from `rulesOf` was removed with its rules.
 */
export function isStoppedByRules(
  decisions: readonly LoggedDecision[],
  lastAtMs: number,
  rulesOf: ReadonlyMap<string, readonly Rule[]>,
): boolean {
  const last = decisions.filter(({ createdAtMs }) => createdAtMs >= lastAtMs - endMs);
  return (
    last.length > 0 &&
    last.every(({ gateId, ruleId, action }) => {
      if (action === 'allow') return false;
      if (ruleId === null) return rulesOf.has(gateId);
      const rule = rulesOf.get(gateId)?.find(({ id }) => id === ruleId);
      return rule !== undefined && isLive(rule) && !rule.conditions.some(({ field }) => field === 'traffic.in_wave');
    })
  );
}

export const isLive = ({ enabled, mode }: Pick<Rule, 'enabled' | 'mode'>): boolean => enabled && mode === 'live';
