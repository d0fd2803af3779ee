import type { Action } from './rules/action.ts';
import type { Rule } from './rules/rule.ts';

/** An ordered list of rules and what to answer when none of them matches. */
export interface Gate {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly defaultAction: Action;
  readonly rules: readonly Rule[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A gate as a list shows it: how many rules, not which. */
export interface GateSummary extends Omit<Gate, 'rules'> {
  readonly rulesCount: number;
}
