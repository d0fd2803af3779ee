import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolations } from '../axe.ts';

/** A phone, whose coarse pointer enlarges controls. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

/** Rules of axe that count although it calls them moderate: a screen reader jumps from landmark to landmark. */
const alsoSerious = ['region'];

/** Fails when axe finds something serious on the page as it is now, or when the page is wider than its window. */
export async function assertAccessible(page: Page, place: string): Promise<void> {
  await assertNoViolations(page, place, 'all');
  await assertFits(page, place);
}

/** As `assertAccessible`, and with enough contrast in the dark, which changes colours only. */
export async function assertAccessibleInTheDark(page: Page, place: string): Promise<void> {
  await assertAccessible(page, place);
  // With reduced motion, colours change without a transition.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await assertNoViolations(page, `${place} in the dark`, 'contrast');
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** Fails when the page is wider than its window. */
export async function assertFits(page: Page, place: string): Promise<void> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  assert.ok(Number(overflow) <= 0, `${place} is ${overflow} pixels too wide`);
}

async function assertNoViolations(page: Page, place: string, rules: 'all' | 'contrast'): Promise<void> {
  const violations = await axeViolations(page, rules);
  const serious = violations.filter(
    ({ id, impact }) => impact === 'serious' || impact === 'critical' || alsoSerious.includes(id),
  );
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${place}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    [],
  );
}
