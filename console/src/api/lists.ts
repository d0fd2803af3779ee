import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, request } from './request.ts';
import { isSessionAlive } from './session-state.ts';

/** The lists that serve every account. */
export type Lists = AnswerOf<'consoleLists'>;
/** A downloaded source and its state. */
export type Download = Lists['downloads'][number];
/** A source as compiled. */
export type ListSource = Lists['sources'][number];
/** The progress of a refresh, and its results. */
export type Refresh = AnswerOf<'consoleRefreshProgress'>;

/** The lists; operators only. */
export const useLists = () =>
  useQuery({ queryKey: ['lists'], queryFn: ({ signal }) => request('consoleLists', {}, { signal }) });

/** The running refresh or the last one; polled every second while it runs. */
export function useRefresh() {
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['lists-refresh'],
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<Refresh>(['lists-refresh']);
      const now = await request('consoleRefreshProgress', {}, { signal });
      if (before?.running && !now.running) void queries.invalidateQueries({ queryKey: ['lists'] });
      return now;
    },
    refetchInterval: ({ state }) => (state.data?.running && isSessionAlive() ? 1_000 : false),
  });
}

/** Starts a refresh, or joins the running one. */
export function useStartRefresh() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => request('consoleRefreshLists', { body: {} }),
    onSuccess: (refresh) => {
      queries.setQueryData(['lists-refresh'], refresh);
      if (!refresh.running) void queries.invalidateQueries({ queryKey: ['lists'] });
    },
  });
}

/** The sources that name a domain, and since when. */
export type Namings = AnswerOf<'consoleDomainNamings'>;

/** Which sources name a domain; nothing is asked without one. */
export const useNamings = (domain: string) =>
  useQuery({
    queryKey: ['lists-named', domain],
    queryFn: ({ signal }) => request('consoleDomainNamings', { path: { domain } }, { signal }),
    enabled: domain !== '',
    retry: false,
  });

/** The operator's own lists that take domains. */
export const ownLists = ['disposable', 'allow', 'public', 'relay', 'spam'] as const;
/** One of them. */
export type OwnList = (typeof ownLists)[number];

/** The operator's own entries of a list. */
export const useOwnEntries = (list: OwnList) =>
  useQuery({
    queryKey: ['lists-entries', list],
    queryFn: ({ signal }) => request('consoleListEntries', { path: { list } }, { signal }),
  });

/** A change of own entries. */
export interface EntriesChange {
  readonly operation: 'consoleAddEntries' | 'consoleRemoveEntries';
  readonly domains: readonly string[];
}

/** Adds or removes own entries, all of them or none. */
export function useChangeEntries(list: OwnList) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ operation, domains }: EntriesChange) => request(operation, { path: { list }, body: { domains } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['lists-entries', list] });
      await queries.invalidateQueries({ queryKey: ['lists'] });
    },
  });
}
