import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolations } from '../axe.ts';

/** The looks in which every page is checked: by all rules of axe in the first, by contrast and width in the others. */
export const looks = {
  'in the light': { context: { colorScheme: 'light' }, rules: 'all' },
  'in the dark': { context: { colorScheme: 'dark' }, rules: 'contrast' },
  'on a phone': {
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    rules: 'contrast',
  },
} as const;

/** Rules of axe that count although it calls them moderate: a screen reader jumps from landmark to landmark. */
const alsoSerious = ['region'];

/** Fails when axe finds something serious on the page as it is now, or when the page is wider than its window. */
export async function assertAccessible(page: Page, place: string, rules: 'all' | 'contrast' = 'all'): Promise<void> {
  const violations = await axeViolations(page, rules);
  const serious = violations.filter(
    ({ id, impact }) => impact === 'serious' || impact === 'critical' || alsoSerious.includes(id),
  );
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${place}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    [],
  );
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  assert.ok(Number(overflow) <= 0, `${place} is ${overflow} pixels too wide`);
}
