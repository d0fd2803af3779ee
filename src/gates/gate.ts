import type { Action } from './rules/action.ts';
import type { Rule } from './rules/rule.ts';

/** The slow facts that a gate can have its decisions wait for. */
export const slowFacts = ['domain_age_in_days', 'domain_authority'] as const;
export type SlowFact = (typeof slowFacts)[number];

/** An ordered list of rules, and the action when none of them matches. */
export interface Gate {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly defaultAction: Action;
  /** Every decision waits for these; otherwise a rule on age could not match a domain seen for the first time. */
  readonly wait: readonly SlowFact[];
  readonly rules: readonly Rule[];
  /** The number of its current revision; 0 if it has not changed since revisions were introduced. */
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A gate as a list shows it: how many rules, not which. */
export interface GateSummary extends Omit<Gate, 'rules'> {
  readonly rulesCount: number;
}
