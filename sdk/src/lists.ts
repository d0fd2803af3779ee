import { type ApiPromise, data } from './api-promise.ts';
import type { BodyOf, Call, DataOf, ItemOf, QueryOf } from './call.ts';
import { type CursorPage, cursorPages, type Pages } from './pages.ts';
import type { CallOptions } from './settings.ts';

/** A custom list. */
export interface CustomList extends DataOf<'createCustomList'> {}
/** A custom list and the rules that use it. */
export interface CustomListWithRules extends DataOf<'readCustomList'> {}
/** The settings of a new list. */
export interface NewCustomList extends BodyOf<'createCustomList'> {}
/** Changes to a list. */
export interface CustomListChanges extends BodyOf<'changeCustomList'> {}
/** An entry of a list. */
export interface ListEntry extends ItemOf<'listCustomListEntries'> {}
/** An entry to add: a value, optionally with a note and an expiry. */
export type NewListEntry = BodyOf<'addToCustomList'>['entries'][number];
/** How many entries were added and updated, and which were invalid. */
export interface EntriesAdded extends DataOf<'addToCustomList'> {}

/** The calls of custom lists. */
export const listCalls = (call: Call) => ({
  /** The lists of the environment, newest first. */
  list: (options?: CallOptions): ApiPromise<CustomList[]> => data(call('listCustomLists', {}, options)),
  /** Creates a list. */
  create: (list: NewCustomList, options?: CallOptions): ApiPromise<CustomList> =>
    data(call('createCustomList', { body: list }, options)),
  /** A list and the rules that use it. */
  get: (list_id: string, options?: CallOptions): ApiPromise<CustomListWithRules> =>
    data(call('readCustomList', { path: { list_id } }, options)),
  /** Changes the name or the description. */
  update: (list_id: string, changes: CustomListChanges, options?: CallOptions): ApiPromise<CustomList> =>
    data(call('changeCustomList', { path: { list_id }, body: changes }, options)),
  /** Removes a list that no rule uses. */
  delete: (list_id: string, options?: CallOptions): ApiPromise<void> =>
    call('removeCustomList', { path: { list_id } }, options),
  /** The entries of a list. */
  entries: {
    /** Entries, newest first: a page when awaited, all in `for await`. */
    list: (
      list_id: string,
      query: QueryOf<'listCustomListEntries'> = {},
      options?: CallOptions,
    ): Pages<CursorPage<ListEntry>> =>
      cursorPages(
        (page: typeof query) => call('listCustomListEntries', { path: { list_id }, query: page }, options),
        query,
      ),
    /** Adds up to 1,000 entries, or changes them. */
    add: (list_id: string, entries: readonly NewListEntry[], options?: CallOptions): ApiPromise<EntriesAdded> =>
      data(call('addToCustomList', { path: { list_id }, body: { entries: [...entries] } }, options)),
    /** Removes up to 1,000 entries by their values. */
    remove: (
      list_id: string,
      values: readonly string[],
      options?: CallOptions,
    ): ApiPromise<DataOf<'removeFromCustomList'>> =>
      data(call('removeFromCustomList', { path: { list_id }, body: { values: [...values] } }, options)),
  },
});
