import type { ApiPromise } from './api-promise.ts';
import { AnswerError } from './errors.ts';

/** One page when it is awaited; everything, page after page, in `for await`. */
export type Pages<Page extends { data: unknown[] }> = ApiPromise<Page> & AsyncIterable<Page['data'][number]>;

interface NumberedPage {
  data: unknown[];
  links: { next: string | null };
  meta: { current_page: number };
}

/** A page of a list with cursors. */
export interface CursorPage<Item> {
  data: Item[];
  /** `next_cursor` is null on the last page. `entries_missing` is true if the log is damaged and entries may be missing. */
  meta: { next_cursor: string | null; entries_missing?: boolean };
}

/** Pages that have numbers. */
export function numberedPages<Page extends NumberedPage, Query extends { page?: number | undefined }>(
  read: (query: Query) => ApiPromise<Page>,
  query: Query,
): Pages<Page> {
  return pagesFrom(read, query, ({ links, meta }) =>
    links.next === null ? null : { ...query, page: meta.current_page + 1 },
  );
}

/** Pages that each name the next. */
export function cursorPages<Page extends CursorPage<unknown>, Query extends { cursor?: string | undefined }>(
  read: (query: Query) => ApiPromise<Page>,
  query: Query,
): Pages<Page> {
  return pagesFrom(read, query, ({ meta: { next_cursor: cursor } }, last) => {
    if (cursor === null) return null;
    if (cursor === last.cursor) throw new AnswerError('The list does not continue: it names the same cursor again');
    return { ...query, cursor };
  });
}

function pagesFrom<Page extends { data: unknown[] }, Query>(
  read: (query: Query) => ApiPromise<Page>,
  firstQuery: Query,
  nextQuery: (page: Page, query: Query) => Query | null,
): Pages<Page> {
  const first = read(firstQuery);
  // A failure is reported when the list is iterated; until then it must not end the process.
  first.catch(() => {});
  async function* items(): AsyncGenerator<unknown> {
    let query = firstQuery;
    for (let page = await first; ; page = await read(query)) {
      yield* page.data;
      const next = nextQuery(page, query);
      if (next === null) return;
      query = next;
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items }) as Pages<Page>;
}
