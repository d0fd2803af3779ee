import type { ConditionField } from '@signalpost/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { useEnvironment } from './environment.ts';
import type { Author } from './gate.ts';
import { request } from './request.ts';
import type { Action } from './trace.ts';

/** A gate at a glance. */
export interface GateGlance {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly default_action: Action;
  readonly rules_count: number;
  readonly revision: number;
  readonly updated_at: string;
  readonly last_change: {
    readonly revision: number;
    readonly changed_at: string;
    readonly changed_by: Author | null;
  } | null;
  readonly counts: Readonly<Record<Action, number>>;
  readonly days: readonly ({ readonly at: string } & Readonly<Record<Action, number>>)[];
}

/** The gates of the environment, newest first, with seven days of counts. */
export function useGates() {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['gates', environment],
    queryFn: async ({ signal }) =>
      (await request<{ data: readonly GateGlance[] }>('GET', `/${environment}/gates-summary`, { signal })).data,
    staleTime: 30_000,
  });
}

/** What conditions can name, with labels; the same in every environment. */
export function useFields() {
  const client = useClient();
  return useQuery({
    queryKey: ['fields'],
    queryFn: ({ signal }): Promise<readonly ConditionField[]> => client.gates.fields({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
