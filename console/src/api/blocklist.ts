import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { type Environment, useEnvironment } from './environment.ts';
import { request } from './request.ts';

/** A domain on the blocklist. */
export interface Entry {
  readonly domain: string;
  readonly unicode_domain?: string;
  readonly created_at: string;
}

/** A line that is no domain, with what is wrong with it. */
export interface WrongLine {
  readonly line: number;
  readonly text: string;
  readonly error: string;
}

/** What adding some lines would do. */
export interface Preview {
  readonly new: number;
  readonly listed: number;
  readonly repeated: number;
  readonly full: number;
  readonly wrong_count: number;
  readonly wrong: readonly WrongLine[];
}

/** What adding them did. */
export type Imported = Omit<Preview, 'new'> & { readonly added: number };

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

/** Entries with a text in them. */
export function useBlocklistSearch(q: string) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['blocklist', environment, 'search', q],
    queryFn: ({ signal }) =>
      request<{ data: readonly Entry[]; meta: { complete: boolean } }>('GET', `/${environment}/blocklist/search`, {
        query: { q, limit: 100 },
        signal,
      }),
    enabled: q !== '',
  });
}

/** What adding these lines would do; changes nothing. */
export function usePreview() {
  const environment = useEnvironment();
  return useMutation({
    mutationFn: (text: string) => request<Preview>('POST', `/${environment}/blocklist/preview`, { body: { text } }),
  });
}

/** Calls after which the list is read again. */
function useChange<Input, Output>(change: (environment: Environment, input: Input) => Promise<Output>) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(environment, input),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['blocklist', environment] }),
  });
}

/** Adds the good ones of some lines. */
export const useImport = () =>
  useChange((environment, text: string) =>
    request<Imported>('POST', `/${environment}/blocklist/import`, { body: { text } }),
  );

/** Removes domains; what was removed is what brings them back. */
export const useRemove = () =>
  useChange((environment, domains: readonly string[]) =>
    request<{ removed: readonly string[]; missing: readonly string[] }>('POST', `/${environment}/blocklist/remove`, {
      body: { domains },
    }),
  );

/** Every domain of the list, oldest first. */
export async function exportBlocklist(environment: Environment): Promise<string[]> {
  const domains: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: { data: readonly string[]; meta: { next_cursor: string | null } } = await request(
      'GET',
      `/${environment}/blocklist/export`,
      { query: { cursor } },
    );
    domains.push(...page.data);
    cursor = page.meta.next_cursor;
    if (cursor === null) return domains;
  }
}
