import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { type Environment, useEnvironment } from './environment.ts';
import { type AnswerOf, request } from './request.ts';

/** A domain on the blocklist. */
export type Entry = AnswerOf<'searchBlocklist'>['data'][number];
/** The result of a preview. */
export type Preview = AnswerOf<'previewBlocklist'>;

/** The entries, newest first. */
export function useBlocklist() {
  const environment = useEnvironment();
  const client = useClient();
  return useInfiniteQuery({
    queryKey: ['blocklist', environment, 'all'],
    queryFn: ({ pageParam, signal }) => client.blocklist.list({ page: pageParam, per_page: 50 }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.current_page < meta.last_page ? meta.current_page + 1 : null),
  });
}

/** The entries that contain a text. */
export function useBlocklistSearch(q: string) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['blocklist', environment, 'search', q],
    queryFn: ({ signal }) =>
      request('searchBlocklist', { path: { environment }, query: { q, limit: 100 } }, { signal }),
    enabled: q !== '',
  });
}

/** Shows what adding these lines would do; changes nothing. */
export function usePreview() {
  const environment = useEnvironment();
  return useMutation({
    mutationFn: (text: string) => request('previewBlocklist', { path: { environment }, body: { text } }),
  });
}

/** A mutation that reloads the list when it succeeds. */
function useChange<Input, Output>(change: (environment: Environment, input: Input) => Promise<Output>) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(environment, input),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['blocklist', environment] }),
  });
}

/** Adds the valid lines of a text. */
export const useImport = () =>
  useChange((environment, text: string) => request('importBlocklist', { path: { environment }, body: { text } }));

/** Removes domains; importing them again with their reasons undoes it. */
export const useRemove = () =>
  useChange((environment, domains: readonly string[]) =>
    request('removeManyFromBlocklist', { path: { environment }, body: { domains } }),
  );

/** Every domain of the list with its reason, oldest first. */
export async function exportBlocklist(environment: Environment): Promise<AnswerOf<'exportBlocklist'>['data']> {
  const domains: AnswerOf<'exportBlocklist'>['data'] = [];
  for (let cursor: string | undefined; ; ) {
    const page: AnswerOf<'exportBlocklist'> = await request('exportBlocklist', {
      path: { environment },
      query: { cursor },
    });
    domains.push(...page.data);
    if (page.meta.next_cursor === null) return domains;
    cursor = page.meta.next_cursor;
  }
}
