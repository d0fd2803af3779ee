import type {
  CustomList,
  CustomListChanges,
  CustomListWithRules,
  EntriesAdded,
  ListEntry,
  NewCustomList,
  NewListEntry,
} from '@signalpost/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { useEnvironment } from './environment.ts';
import { type AnswerOf, request } from './request.ts';

export type { CustomList, CustomListWithRules, ListEntry, NewListEntry } from '@signalpost/client';

/** The custom lists of the environment. */
export function useCustomLists() {
  const { lists } = useClient();
  return useQuery({
    queryKey: ['custom-lists', useEnvironment()],
    queryFn: ({ signal }) => lists.list({ signal }),
  });
}

/** One list and the rules that use it. */
export function useCustomList(id: string, enabled = true) {
  const { lists } = useClient();
  return useQuery({
    queryKey: ['custom-lists', useEnvironment(), id],
    queryFn: ({ signal }): Promise<CustomListWithRules> => lists.get(id, { signal }),
    enabled,
  });
}

/** The entries of a list that contain a text, newest first. */
export function useEntries(id: string, q: string) {
  const { lists } = useClient();
  return useInfiniteQuery({
    queryKey: ['custom-lists', useEnvironment(), id, 'entries', q],
    queryFn: ({ pageParam, signal }) =>
      lists.entries.list(
        id,
        { limit: 50, ...(q && { q }), ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
  });
}

/** A mutation that reloads all lists when it ends. */
function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  const queryKey = ['custom-lists', useEnvironment()];
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey }) });
}

/** Creates a list. */
export function useCreateList() {
  const { lists } = useClient();
  return useChange((list: NewCustomList): Promise<CustomList> => lists.create(list));
}

/** Changes the name or the description of a list. */
export function useChangeList(id: string) {
  const { lists } = useClient();
  return useChange((changes: CustomListChanges): Promise<CustomList> => lists.update(id, changes));
}

/** Removes a list. */
export function useRemoveList(id: string) {
  const { lists } = useClient();
  return useChange((_: undefined): Promise<void> => lists.delete(id));
}

/** The most entries of one request. */
const batchSize = 1_000;

interface Added {
  readonly listId: string;
  readonly entries: readonly NewListEntry[];
}

/** The effect of adding entries. */
export type EntriesPreview = AnswerOf<'previewCustomListEntries'>['data'];

/** Shows what adding entries would do, in batches; changes nothing. Errors name the place among all of them. */
export function usePreviewEntries() {
  const environment = useEnvironment();
  return useMutation({
    mutationFn: async ({ listId, entries }: Added): Promise<EntriesPreview> => {
      const total: EntriesPreview = { new: 0, listed: 0, repeated: 0, errors: [] };
      for (let start = 0; start < entries.length; start += batchSize) {
        const body = { entries: entries.slice(start, start + batchSize) };
        const path = { environment, list_id: listId };
        const { data } = await request('previewCustomListEntries', { path, body });
        for (const name of ['new', 'listed', 'repeated'] as const) total[name] += data[name];
        total.errors.push(...data.errors.map((error) => ({ ...error, index: error.index + start })));
      }
      return total;
    },
  });
}

/** Adds entries in batches; errors name the place among all of them. */
export function useAddEntries() {
  const { lists } = useClient();
  return useChange(async ({ listId, entries }: Added): Promise<EntriesAdded> => {
    const total: EntriesAdded = { added: 0, updated: 0, errors: [] };
    for (let start = 0; start < entries.length; start += batchSize) {
      const { added, updated, errors } = await lists.entries.add(listId, entries.slice(start, start + batchSize));
      total.added += added;
      total.updated += updated;
      total.errors.push(...errors.map((error) => ({ ...error, index: error.index + start })));
    }
    return total;
  });
}

/** Removes entries by their values. */
export function useRemoveEntries() {
  const { lists } = useClient();
  return useChange(({ listId, values }: { listId: string; values: readonly string[] }) =>
    lists.entries.remove(listId, values),
  );
}

/** All entries of a list, oldest first, so that adding them again restores their order. */
export function useExportEntries(id: string) {
  const { lists } = useClient();
  return useMutation({
    mutationFn: async (): Promise<ListEntry[]> => {
      const entries: ListEntry[] = [];
      for await (const entry of lists.entries.list(id, { limit: 100 })) entries.push(entry);
      return entries.reverse();
    },
  });
}
