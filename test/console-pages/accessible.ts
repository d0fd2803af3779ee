import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolations } from '../axe.ts';

/** Every look a page is to be checked in. */
export const looks = {
  'in the light': { colorScheme: 'light' },
  'in the dark': { colorScheme: 'dark' },
  'on a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;

/** Fails when axe finds something serious on the page as it is now, or when the page is wider than its window. */
export async function assertAccessible(page: Page, place: string): Promise<void> {
  const serious = (await axeViolations(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${place}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    [],
  );
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  assert.ok(Number(overflow) <= 0, `${place} is ${overflow} pixels too wide`);
}
