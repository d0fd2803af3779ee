import type { Page } from 'playwright-core';

/** Opens a page of the console, and waits until its content is there. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await pageLoaded(page);
}

/**
 * Waits until the page has its heading, nothing on it is loading, and the network is idle. An idle network is not enough: while
 * the machine is busy, half a second may pass before the first request.
 */
export async function pageLoaded(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  await page.locator('[role=status]', { hasText: 'is loading' }).first().waitFor({ state: 'detached' });
}
