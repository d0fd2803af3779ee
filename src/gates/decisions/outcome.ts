/** The outcome of a decision, as the application learnt later. */
export const outcomeNames = ['good', 'bad'] as const;
export type OutcomeName = (typeof outcomeNames)[number];

/** The application's report about a decision. */
export interface Outcome {
  readonly outcome: OutcomeName;
  readonly reason: string | null;
}

/** The values of the log's filter. */
export const outcomeFilters = [...outcomeNames, 'none'] as const;
export type OutcomeFilter = (typeof outcomeFilters)[number];
