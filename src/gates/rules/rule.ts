import type { Action } from './action.ts';
import type { Condition } from './condition.ts';

/** How the conditions of a rule combine. */
export const matchModes = ['all', 'any'] as const;
export type MatchMode = (typeof matchModes)[number];

/** `live` decides; `shadow` is evaluated and counted, and never decides. */
export const ruleModes = ['live', 'shadow'] as const;
export type RuleMode = (typeof ruleModes)[number];

/** A rule as its author writes it. */
export interface RuleDraft {
  readonly name: string;
  readonly description: string | null;
  readonly message: string | null;
  readonly match: MatchMode;
  readonly action: Action;
  /** A match of this rule is final: the rules below it are not evaluated. */
  readonly stop: boolean;
  readonly enabled: boolean;
  readonly mode: RuleMode;
  readonly conditions: readonly Condition[];
}

/** A rule of a gate; its place in the gate's list is its position. */
export interface Rule extends RuleDraft {
  readonly id: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
