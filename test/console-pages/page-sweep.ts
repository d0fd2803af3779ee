import type { Page } from 'playwright-core';
import { layoutFaults, widths } from './layout-faults.ts';
import { layoutShifts, observeShifts } from './layout-shifts.ts';
import { openPage } from './loaded-page.ts';
import type { ShownConsole } from './shown-console.ts';

/** Problems of the console's pages, each with its page. */
export interface PageSweep {
  /** Of the layout, at every width. */
  readonly faults: string[];
  /** Content that moves while the page loads, on a screen and on a phone. */
  readonly shifts: string[];
  /** More rows of a table in one task than fit, or formatters of Intl. */
  readonly slowWork: string[];
}

const maxShift = 0.02;
const maxRowsAtOnce = 12;
/** Pages that load in parallel: each answer is late, so that they mostly wait. */
const tabs = 6;

// A text, because the tests are checked without the types of the DOM.
const watchSlowWork = `
  window.slow = { maxRows: 0, formatters: 0 };
  new MutationObserver((changes) => {
    const added = new Set(changes.flatMap(({ addedNodes }) => [...addedNodes]));
    for (const table of document.querySelectorAll('table')) {
      const rows = [...table.querySelectorAll('tr[data-row]')].filter((row) => {
        for (let node = row; node; node = node.parentNode) if (added.has(node)) return true;
        return false;
      });
      window.slow.maxRows = Math.max(window.slow.maxRows, rows.length);
    }
  }).observe(document, { childList: true, subtree: true });
  for (const name of ['DateTimeFormat', 'NumberFormat', 'RelativeTimeFormat'])
    Intl[name] = new Proxy(Intl[name], { construct: (...all) => { window.slow.formatters += 1; return Reflect.construct(...all); } });`;

/** Loads every page on a screen and on a phone, with late answers, and looks at its layout at every width. */
export async function sweepPages(shown: ShownConsole, places: readonly string[]): Promise<PageSweep> {
  const found: PageSweep = { faults: [], shifts: [], slowWork: [] };
  const waiting = places.flatMap((place) => [
    { place, width: 1280 },
    { place, width: 390 },
  ]);
  const visitAll = async (page: Page): Promise<void> => {
    await observeShifts(page);
    await page.addInitScript(watchSlowWork);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { place, width } = next;
      await page.setViewportSize({ width, height: 900 });
      await openPage(page, `/console/production/${place}`);
      const { total, moved } = await layoutShifts(page);
      if (total > maxShift) found.shifts.push(`${place} at ${width} moved by ${total.toFixed(3)}: ${moved.join('; ')}`);
      if (width === 1280) await lookAt(page, place, found);
    }
  };
  await shown.visit('/production/keys', async (first) => {
    const others = await Promise.all(Array.from({ length: tabs - 1 }, () => first.context().newPage()));
    await Promise.all([first, ...others].map(visitAll));
  });
  return found;
}

async function lookAt(page: Page, place: string, { faults, slowWork }: PageSweep): Promise<void> {
  if (place === 'log') await page.locator('tr[data-row]').nth(49).waitFor();
  const { maxRows = 0, formatters = 0 } = (await page.evaluate('window.slow')) as Record<string, number>;
  if (maxRows > maxRowsAtOnce || formatters > 0) slowWork.push(`${place}: ${maxRows} rows, ${formatters} formatters`);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const fault of await layoutFaults(page)) faults.push(`${place} at ${width}: ${fault}`);
  }
}
