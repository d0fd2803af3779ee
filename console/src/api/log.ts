import type { DecisionLine, DecisionSearch } from '@signalpost/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { useEnvironment } from './environment.ts';
import { type AnswerOf, request } from './request.ts';
import { every } from './session-state.ts';

/** A decision as the log of all gates shows it. */
export type LogEntry = DecisionLine;
/** The filters of the log, as the page's address holds them. */
export type LogFilters = Omit<DecisionSearch, 'limit' | 'cursor' | 'after'>;
/** A decision with its rules and trace; both are null when the revision is no longer kept. */
export type DecisionDetail = AnswerOf<'explainDecision'>['data'];

/** The most new entries that are counted; more are shown as "100 and more". */
export const maxNewEntries = 100;

/** The log, page by page. */
export function useLog(filters: LogFilters) {
  const environment = useEnvironment();
  const { gates } = useClient();
  return useInfiniteQuery({
    queryKey: ['log', environment, filters],
    queryFn: ({ pageParam: cursor, signal }) => gates.decisions.search({ ...filters, limit: 50, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.meta.next_cursor ?? undefined,
    staleTime: 0,
  });
}

/** How many decisions match; asked only when a page does not show them all. */
export function useLogCount(filters: LogFilters, isNeeded: boolean) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['log-count', environment, filters],
    queryFn: async ({ signal }) => {
      const query = { ...filters, action: filters.action && String(filters.action) };
      return (await request('countDecisions', { path: { environment }, query }, { signal })).data;
    },
    enabled: isNeeded,
  });
}

/** The number of entries newer than the newest one on the page. */
export function useNewEntryCount(filters: LogFilters, newest: string | undefined) {
  const environment = useEnvironment();
  const { gates } = useClient();
  return useQuery({
    queryKey: ['log-news', environment, filters, newest],
    queryFn: async ({ signal }) => {
      const query = { ...filters, after: newest, limit: maxNewEntries };
      return (await gates.decisions.search(query, { signal })).data.length;
    },
    enabled: newest !== undefined,
    refetchInterval: every(5_000),
  });
}

interface Polling {
  readonly enabled?: boolean;
  readonly everyMs?: number;
}

/** The newest entries, for a short list on another page. */
export function useLatest(filters: LogFilters, limit: number, polling: Polling = {}) {
  const environment = useEnvironment();
  const { gates } = useClient();
  return useQuery({
    queryKey: ['log-latest', environment, filters, limit],
    queryFn: ({ signal }) => gates.decisions.search({ ...filters, limit }, { signal }),
    enabled: polling.enabled ?? true,
    refetchInterval: polling.everyMs === undefined ? false : every(polling.everyMs),
  });
}

/** One decision. */
export function useDecision(id: string) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['decision', environment, id],
    queryFn: async ({ signal }) =>
      (await request('explainDecision', { path: { environment, decision_id: id } }, { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The subject of a decision. */
export const subjectOf = ({ input }: Pick<LogEntry, 'input'>): string => input.email ?? input.domain ?? '';

/** The values of a decision that can be added to a custom list, by the kind of the list; hashed addresses cannot. */
export function addableOf({ input }: Pick<LogEntry, 'input'>) {
  const { email, ip } = input;
  if (email?.startsWith('hmac:')) return { ip };
  return { email, domain: input.domain ?? email?.slice(email.lastIndexOf('@') + 1), ip };
}
