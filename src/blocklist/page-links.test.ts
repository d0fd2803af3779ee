import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { pageLinks, shownPages } from './page-links.ts';

const path = 'https://signals.example/blocklist';
const query = (page: number, sentPerPage: string | null = null) => ({ page, perPage: 25, sentPerPage });
const labels = (page: number, lastPage: number): string =>
  pageLinks(path, query(page), lastPage)
    .all.map((link) => (link.active ? `[${link.label}]` : link.label))
    .join(' ');

describe('page links', () => {
  test('blocklist page links up to 200 pages list every number [D146]', () => {
    assert.equal(labels(1, 1), '&laquo; Previous [1] Next &raquo;');
    assert.equal(labels(2, 3), '&laquo; Previous 1 [2] 3 Next &raquo;');
    assert.deepEqual(
      shownPages(100, 200),
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
  });

  test('blocklist page links beyond 200 pages list the first two, the last two, three on each side, and gaps between them [D147]', () => {
    const cases: readonly [page: number, numbers: string][] = [
      [1, '[1] 2 3 4 ... 200 201'],
      [4, '1 2 3 [4] 5 6 7 ... 200 201'],
      [6, '1 2 3 4 5 [6] 7 8 9 ... 200 201'],
      [7, '1 2 ... 4 5 6 [7] 8 9 10 ... 200 201'],
      [100, '1 2 ... 97 98 99 [100] 101 102 103 ... 200 201'],
      [195, '1 2 ... 192 193 194 [195] 196 197 198 ... 200 201'],
      [201, '1 2 ... 198 199 200 [201]'],
      [500, '1 2 ... 198 199 200 201'],
    ];
    for (const [page, numbers] of cases) assert.equal(labels(page, 201), `&laquo; Previous ${numbers} Next &raquo;`);
  });

  test('blocklist page links have a URL each, except for gaps and pages that do not exist', () => {
    const { all, prev, next, first, last } = pageLinks(path, query(1), 201);
    assert.equal(prev, null);
    assert.equal(next, `${path}?page=2`);
    assert.equal(first, `${path}?page=1`);
    assert.equal(last, `${path}?page=201`);
    assert.deepEqual(all.at(0), { url: null, label: '&laquo; Previous', active: false });
    assert.deepEqual(all.at(1), { url: `${path}?page=1`, label: '1', active: true });
    assert.deepEqual(
      all.filter((link) => link.label === '...'),
      [{ url: null, label: '...', active: false }],
    );
    assert.deepEqual(all.at(-1), { url: `${path}?page=2`, label: 'Next &raquo;', active: false });
  });

  test('blocklist page links have a previous link to the last page and no next link past the end', () => {
    for (const page of [4, 5, 1_000]) {
      const { prev, next } = pageLinks(path, query(page), 3);
      assert.equal(prev, `${path}?page=3`);
      assert.equal(next, null);
    }
  });

  test('blocklist page links keep per_page only when it was sent', () => {
    for (const [sent, kept] of [
      [null, ''],
      ['2', 'per_page=2&'],
      ['5&x=1', 'per_page=5%26x%3D1&'],
    ] as const) {
      const { first, last, prev, next, all } = pageLinks(path, query(2, sent), 3);
      const page = (number: number): string => `${path}?${kept}page=${number}`;
      assert.deepEqual([first, last, prev, next], [page(1), page(3), page(1), page(3)]);
      assert.deepEqual(
        all.map((link) => link.url),
        [page(1), page(1), page(2), page(3), page(3)],
      );
    }
  });

  test('blocklist page links are few, in order, and include the current page for any number of pages', () => {
    fc.assert(
      fc.property(fc.integer({ min: 201, max: 1_000_000 }), fc.integer({ min: 1, max: 1_000_010 }), (last, page) => {
        const shown = shownPages(page, last);
        const numbers = shown.filter((number) => number !== null);
        assert.ok(shown.length <= 13);
        assert.ok(page > last || numbers.includes(page));
        assert.deepEqual(
          numbers,
          numbers.toSorted((one, other) => one - other),
        );
        assert.ok([1, 2, last - 1, last].every((number) => numbers.includes(number)));
        shown.forEach((number, index) => {
          if (number !== null) return;
          assert.ok(Number(shown[index + 1]) - Number(shown[index - 1]) > 1);
        });
      }),
    );
  });
});
