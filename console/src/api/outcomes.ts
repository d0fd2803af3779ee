import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';

/** The reported outcome of a decision; null for none. */
export type Outcome = 'good' | 'bad' | null;

/** A decision and its new outcome. */
export interface OutcomeChange {
  readonly gateId: string;
  readonly decisionId: string;
  readonly outcome: Outcome;
}

/** Sets or removes the outcome of a decision, and reloads everything that shows it. */
export function useSetOutcome() {
  const { outcomes } = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ gateId, decisionId, outcome }: OutcomeChange): Promise<void> => {
      if (outcome === null) await outcomes.delete(gateId, decisionId);
      else await outcomes.set(gateId, decisionId, { outcome });
    },
    onSuccess: () => invalidateOutcomes(queries),
  });
}

/** Reloads everything that shows outcomes. */
export function invalidateOutcomes(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey: [name] }) => ['log', 'log-latest', 'decision', 'gate', 'overview'].includes(String(name)),
  });
}
