import type { PageQuery } from './blocklist-input.ts';

/** One entry of the page navigation. */
export interface PageLink {
  readonly url: string | null;
  readonly label: string;
  readonly active: boolean;
}

/** The URLs around a page. */
export interface PageLinks {
  readonly first: string;
  readonly last: string;
  readonly prev: string | null;
  readonly next: string | null;
  readonly all: readonly PageLink[];
}

/** Above this number of pages, the navigation omits some. */
const maxListedPages = 200;
const aroundCurrent = 3;

/** The links of the requested page, which may be past the end, among `lastPage` pages. */
export function pageLinks(path: string, { page, sentPerPage }: PageQuery, lastPage: number): PageLinks {
  const kept = sentPerPage === null ? '' : `per_page=${encodeURIComponent(sentPerPage)}&`;
  const url = (number: number): string => `${path}?${kept}page=${number}`;
  const prev = page > 1 ? url(Math.min(page - 1, lastPage)) : null;
  const next = page < lastPage ? url(page + 1) : null;
  const numbers = shownPages(page, lastPage).map((number) =>
    number === null
      ? { url: null, label: '...', active: false }
      : { url: url(number), label: String(number), active: number === page },
  );
  return {
    first: url(1),
    last: url(lastPage),
    prev,
    next,
    all: [
      { url: prev, label: '&laquo; Previous', active: false },
      ...numbers,
      { url: next, label: 'Next &raquo;', active: false },
    ],
  };
}

/** The page numbers to list; null is a gap between them. */
export function shownPages(page: number, lastPage: number): (number | null)[] {
  if (lastPage <= maxListedPages) return Array.from({ length: lastPage }, (_, index) => index + 1);
  const current = Math.min(page, lastPage);
  const around = Array.from({ length: 2 * aroundCurrent + 1 }, (_, index) => current - aroundCurrent + index);
  const shown = [...new Set([1, 2, ...around, lastPage - 1, lastPage])]
    .filter((number) => number >= 1 && number <= lastPage)
    .sort((one, other) => one - other);
  return shown.flatMap((number, index) => {
    const before = shown[index - 1] ?? number - 1;
    return before === number - 1 ? [number] : [null, number];
  });
}
