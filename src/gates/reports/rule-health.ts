import { firstIdAt } from '../../ulid.ts';
import { type CountOutcomes, type Tally, totalOutcomes } from '../decisions/outcome-totals.ts';
import type { StatsStore } from '../decisions/stats-store.ts';
import type { Gate } from '../gate.ts';
import { keptRevisions, type RevisionSummary, type RevisionsStore } from '../revisions-store.ts';
import type { Rule } from '../rules/rule.ts';

/** Whether a rule still does something, and whether it is right. */
export interface RuleHealth extends Tally {
  readonly ruleId: string;
  /** Matches per UTC day, live or in shadow mode, oldest first; the last day is today. */
  readonly days: readonly number[];
  /** The UTC day of the last match; null for none. */
  readonly lastMatchMs: number | null;
  /** When the rule got its mode. */
  readonly modeSinceMs: number;
}

/** What the health of rules is read from. */
export interface RuleHealthParts {
  readonly stats: Pick<StatsStore, 'ruleDays' | 'lastRuleDays'>;
  readonly outcomes: CountOutcomes;
  readonly revisions: Pick<RevisionsStore, 'list'>;
  readonly now: () => number;
}

const dayMs = 86_400_000;
/** Days that are counted, with today. */
const shownDays = 30;

/** Reads the health of every rule of a gate, from counters. */
export async function readRuleHealth(
  gate: Gate,
  { stats, outcomes, revisions, now }: RuleHealthParts,
): Promise<RuleHealth[]> {
  const nowMs = now();
  const fromMs = nowMs - (nowMs % dayMs) - (shownDays - 1) * dayMs;
  const [counts, last, totals, changes] = await Promise.all([
    stats.ruleDays(gate.id, fromMs),
    stats.lastRuleDays(gate.id),
    totalOutcomes(outcomes, [gate.id], { from: firstIdAt(fromMs), before: firstIdAt(nowMs + 1) }),
    revisions.list(gate.id, keptRevisions.perGate, null),
  ]);
  const countsOf = Map.groupBy(counts, ({ ruleId }) => ruleId);
  return gate.rules.map((rule) => {
    const days = Array.from({ length: shownDays }, () => 0);
    for (const counted of countsOf.get(rule.id) ?? []) days[(counted.dayMs - fromMs) / dayMs] = counted.matches;
    return {
      ruleId: rule.id,
      days,
      lastMatchMs: last.get(rule.id) ?? null,
      modeSinceMs: modeSince(rule, changes),
      ...(totals.rules.get(rule.id) ?? { good: 0, bad: 0 }),
    };
  });
}

/** The last change of a rule's mode, as far back as changes are kept; else its creation. */
function modeSince({ id, createdAtMs }: Rule, newestFirst: readonly RevisionSummary[]): number {
  const change = newestFirst.find(({ changes }) =>
    changes.rules_changed?.some((rule) => rule.id === id && rule.fields.includes('mode')),
  );
  return change?.changedAtMs ?? createdAtMs;
}
