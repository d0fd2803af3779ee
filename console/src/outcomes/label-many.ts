import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../api/client.ts';
import { useEnvironment } from '../api/environment.ts';
import type { LogEntry, LogFilters } from '../api/log.ts';
import { invalidateOutcomes, type Outcome } from '../api/outcomes.ts';
import { request } from '../api/request.ts';
import { whatToDo } from '../text/problems.ts';
import { problemToast, toast } from '../ui/toast.tsx';

/** The most decisions that are labelled together: one request reports so many. */
export const maxLabelled = 1_000;
const perPage = 100;

/** The decisions of a filter, newest first, up to the limit. */
export interface Matching {
  readonly entries: readonly LogEntry[];
  /** False when older decisions match too. */
  readonly isAll: boolean;
}

/** Loads the decisions of a filter, to be labelled together. */
export function useMatching(filters: LogFilters) {
  const environment = useEnvironment();
  const { gates } = useClient();
  return useQuery({
    queryKey: ['log-matching', environment, filters],
    queryFn: async ({ signal }): Promise<Matching> => {
      const entries: LogEntry[] = [];
      for (let cursor: string | undefined; entries.length < maxLabelled; ) {
        const page = await gates.decisions.search({ ...filters, limit: perPage, cursor }, { signal });
        entries.push(...page.data);
        if (page.meta.next_cursor === null) return { entries, isAll: true };
        cursor = page.meta.next_cursor;
      }
      return { entries, isAll: false };
    },
    gcTime: 0,
  });
}

/** Labels decisions together, and restores their earlier outcomes. */
export function useLabelMany() {
  const environment = useEnvironment();
  const { outcomes } = useClient();
  const queries = useQueryClient();
  const label = useMutation({
    mutationFn: ({ entries, outcome }: { entries: readonly LogEntry[]; outcome: NonNullable<Outcome> }) =>
      outcomes.report(entries.map(({ id }) => ({ decision_id: id, outcome }))),
    onSuccess: () => invalidateOutcomes(queries),
  });
  const restore = useMutation({
    mutationFn: async (entries: readonly LogEntry[]): Promise<void> => {
      const earlier = entries.flatMap(({ id, outcome, outcome_reason: reason }) =>
        outcome === null ? [] : [{ decision_id: id, outcome, reason }],
      );
      const without = entries.filter(({ outcome }) => outcome === null);
      if (earlier.length > 0) await outcomes.report(earlier);
      if (without.length === 0) return;
      const decisions = without.map(({ id, gate }) => ({ gate_id: gate.id, decision_id: id }));
      await request('removeOutcomes', { path: { environment }, body: { decisions } });
    },
    onSuccess: () => {
      toast('The earlier outcomes are restored.');
      return invalidateOutcomes(queries);
    },
    onError: (error) => problemToast(`The outcomes could not be restored. ${whatToDo(error)}`),
  });
  return { label, restore };
}
