import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from './request.ts';
import { isSessionAlive } from './session-state.ts';

/** A source that is downloaded, and how it stands. */
export interface Download {
  readonly source: string;
  readonly enabled: boolean;
  readonly url: string;
  readonly licence: string;
  readonly every_hours: number;
  /** Null where nobody asks it: it is off, or nothing is refreshed here. */
  readonly late: boolean | null;
  readonly fetched_at: string | null;
  readonly checked_at: string | null;
  readonly edition: { readonly date: string; readonly from: string } | null;
  readonly count: number | null;
  readonly problem: string | null;
}

/** A source as it was compiled. */
export interface ListSource {
  readonly name: string;
  readonly version: string;
  readonly count: number;
  readonly licence: string;
  readonly date: string | null;
  readonly old: boolean;
}

/** The lists that serve every account. */
export interface Lists {
  readonly built_at: string;
  readonly size_bytes: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly sources: readonly ListSource[];
  readonly downloads: readonly Download[];
  readonly operator: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
  readonly refresh: string;
  readonly offline: boolean;
}

/** How far a refresh is, and what it did. */
export interface Refresh {
  readonly running: boolean;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly done: number;
  readonly total: number;
  readonly current: {
    readonly source: string;
    readonly received_bytes: number;
    readonly total_bytes: number | null;
  } | null;
  readonly results: readonly {
    readonly source: string;
    readonly result: 'updated' | 'unchanged' | 'refused' | 'failed';
    readonly count: number | null;
    readonly added: number | null;
    readonly removed: number | null;
    readonly reason: string | null;
  }[];
  readonly error: string | null;
}

/** The lists; operators only. */
export const useLists = () =>
  useQuery({ queryKey: ['lists'], queryFn: ({ signal }) => request<Lists>('GET', '/lists', { signal }) });

/** The refresh under way or the last one; asked every second while it runs. */
export function useRefresh() {
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['lists-refresh'],
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<Refresh>(['lists-refresh']);
      const now = await request<Refresh>('GET', '/lists/refresh', { signal });
      if (before?.running && !now.running) void queries.invalidateQueries({ queryKey: ['lists'] });
      return now;
    },
    refetchInterval: ({ state }) => (state.data?.running && isSessionAlive() ? 1_000 : false),
  });
}

/** Begins a refresh, or joins the one that runs. */
export function useStartRefresh() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => request<Refresh>('POST', '/lists/refresh', { body: {} }),
    onSuccess: (refresh) => {
      queries.setQueryData(['lists-refresh'], refresh);
      if (!refresh.running) void queries.invalidateQueries({ queryKey: ['lists'] });
    },
  });
}

/** The operator's own lists that take domains. */
export const ownLists = ['disposable', 'allow', 'public', 'relay', 'spam'] as const;
/** One of them. */
export type OwnList = (typeof ownLists)[number];

/** The operator's own entries of a list. */
export const useOwnEntries = (list: OwnList) =>
  useQuery({
    queryKey: ['lists-entries', list],
    queryFn: ({ signal }) =>
      request<{ total: number; entries: readonly string[] }>('GET', `/lists/entries/${list}`, { signal }),
  });

/** Adds or removes own entries, all of them or none. */
export function useChangeEntries(list: OwnList) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ method, domains }: { method: 'POST' | 'DELETE'; domains: readonly string[] }) =>
      request(method, `/lists/entries/${list}`, { body: { domains } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['lists-entries', list] });
      await queries.invalidateQueries({ queryKey: ['lists'] });
    },
  });
}
