import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * The accessibility violations that axe finds on the current page. It reports violations only and runs inside the page, which has
 * no cross-origin frames: this halves the time of a run that reports every element and finishes in a separate page.
 */
export async function axeViolations(page: Page) {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);
  return (await axe.analyze()).violations;
}
