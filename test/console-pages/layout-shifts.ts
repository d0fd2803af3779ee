import type { Page } from 'playwright-core';

/** How far a page's content moved while it loaded, and what moved. */
export interface LayoutShifts {
  /** Cumulative layout shift, as Chromium computes it. */
  readonly total: number;
  readonly moved: readonly string[];
}

// A text, because the tests are checked without the types of the DOM.
const observe = `
  window.layoutShifts = { total: 0, moved: [] };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      window.layoutShifts.total += value;
      for (const { node, previousRect: from, currentRect: to } of sources)
        window.layoutShifts.moved.push(value.toFixed(4) + ' ' + (node?.className || node?.nodeName) + ' y ' + from.y + ' → ' + to.y + ', x ' + from.x + ' → ' + to.x);
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Observes every page that is opened from now on; each answer of the API is late, by a different time. */
export async function observeShifts(page: Page): Promise<void> {
  let requests = 0;
  await page.route('**/console/api/**', async (route) => {
    requests += 1;
    await new Promise((resolve) => setTimeout(resolve, 180 + (requests % 4) * 70));
    await route.continue();
  });
  await page.addInitScript(observe);
}

/** What moved on the page since it was opened. */
export const layoutShifts = async (page: Page): Promise<LayoutShifts> =>
  (await page.evaluate('window.layoutShifts')) as LayoutShifts;
