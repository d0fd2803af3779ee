import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEnvironment } from './environment.ts';
import { request } from './request.ts';
import { every } from './session-state.ts';
import type { Action, SignalValues, Trace } from './trace.ts';

/** A decision as the log of all gates shows it. */
export interface LogEntry {
  readonly id: string;
  readonly created_at: string;
  readonly gate: { readonly id: string; readonly name: string };
  readonly input: { readonly email?: string; readonly domain?: string; readonly ip?: string };
  readonly domain: string;
  readonly action: Action;
  readonly matched_rule: { readonly id: string; readonly name: string; readonly message: string | null } | null;
}

/** A page of the log. */
export interface LogPage {
  readonly data: readonly LogEntry[];
  readonly meta: { readonly next_cursor: string | null };
}

/** What of the log is wanted; as it stands in the address. */
export interface LogFilters {
  readonly q?: string | undefined;
  readonly gate_id?: string | undefined;
  readonly action?: string | undefined;
  readonly rule_id?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Newer entries that are asked for at once; more than that are "100 and more". */
export const mostNews = 100;

/** The log, page after page. */
export function useLog(filters: LogFilters) {
  const environment = useEnvironment();
  return useInfiniteQuery({
    queryKey: ['log', environment, filters],
    queryFn: ({ pageParam, signal }) =>
      request<LogPage>('GET', `/${environment}/log`, { query: { ...filters, limit: 50, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.meta.next_cursor,
    staleTime: 0,
  });
}

/** How many entries are newer than the newest that is shown. */
export function useNews(filters: LogFilters, newest: string | undefined) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['log-news', environment, filters, newest],
    queryFn: async ({ signal }) => {
      const query = { ...filters, after: newest, limit: mostNews };
      return (await request<LogPage>('GET', `/${environment}/log`, { query, signal })).data.length;
    },
    enabled: newest !== undefined,
    refetchInterval: every(5_000),
  });
}

/** The newest entries for a short list elsewhere. */
export function useLatest(filters: LogFilters, limit: number) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['log-latest', environment, filters, limit],
    queryFn: ({ signal }) => request<LogPage>('GET', `/${environment}/log`, { query: { ...filters, limit }, signal }),
  });
}

/** A decision with everything behind it; the rules are null when they are no longer kept. */
export interface DecisionDetail {
  readonly id: string;
  readonly gate: { readonly id: string; readonly name: string };
  readonly input: { readonly email?: string; readonly domain?: string; readonly ip?: string };
  readonly decision: { readonly action: Action; readonly matched_rule: LogEntry['matched_rule'] };
  readonly signals: SignalValues;
  readonly meta: { readonly request_id: string; readonly created_at: string; readonly duration_ms: number };
  readonly revision: number | null;
  readonly rules:
    | readonly {
        readonly id: string;
        readonly conditions: readonly { readonly field: string; readonly operator: string; readonly value?: unknown }[];
      }[]
    | null;
  readonly trace: Trace | null;
}

/** One decision. */
export function useDecision(id: string) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['decision', environment, id],
    queryFn: async ({ signal }) =>
      (
        await request<{ data: DecisionDetail }>('GET', `/${environment}/decisions/${encodeURIComponent(id)}`, {
          signal,
        })
      ).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What a decision was about. */
export const subjectOf = ({ input }: Pick<LogEntry, 'input'>): string => input.email ?? input.domain ?? '';
