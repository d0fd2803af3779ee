import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * What axe objects to on a page as it is now. It describes only what it objects to, and stays in the page, which has no frames of
 * other origins: half the time of a run that describes every element and finishes in a page of its own.
 */
export async function axeViolations(page: Page) {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);
  return (await axe.analyze()).violations;
}
