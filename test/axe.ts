import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * The accessibility violations that axe finds on the current page. It reports violations only and runs inside the page, which has
 * no cross-origin frames: this halves the time of a run that reports every element and finishes in a separate page. Pages differ
 * between looks in colours and layout only, so `contrast` is enough for a second look at a page.
 */
export async function axeViolations(page: Page, rules: 'all' | 'contrast' = 'all') {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);
  if (rules === 'contrast') axe.withRules('color-contrast');
  return (await axe.analyze()).violations;
}
