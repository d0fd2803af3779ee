/** What became of a decision, as the application learnt later. */
export const outcomeNames = ['good', 'bad'] as const;
export type OutcomeName = (typeof outcomeNames)[number];

/** What the application reported about a decision. */
export interface Outcome {
  readonly outcome: OutcomeName;
  readonly reason: string | null;
}

/** What the log can be filtered by. */
export const outcomeFilters = [...outcomeNames, 'none'] as const;
export type OutcomeFilter = (typeof outcomeFilters)[number];
