import type { Action } from './rules/action.ts';
import type { Rule } from './rules/rule.ts';

/** The slow facts that a gate can have its decisions wait for. */
export const slowFacts = ['domain_age_in_days', 'domain_authority'] as const;
export type SlowFact = (typeof slowFacts)[number];

/** An ordered list of rules and what to answer when none of them matches. */
export interface Gate {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly defaultAction: Action;
  /** Every decision holds for these: a rule on age cannot fire on a domain's first sight otherwise. */
  readonly wait: readonly SlowFact[];
  readonly rules: readonly Rule[];
  /** Counts the states it has had; 0 for one that has not changed since they are counted. */
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A gate as a list shows it: how many rules, not which. */
export interface GateSummary extends Omit<Gate, 'rules'> {
  readonly rulesCount: number;
}
