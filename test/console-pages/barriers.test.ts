import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { consoleFor, withoutBrowser } from './console-browser.ts';

const looks = {
  'in the light': { colorScheme: 'light' },
  'in the dark': { colorScheme: 'dark' },
  'on a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;

const places: Readonly<Record<string, string>> = {
  overview: 'Overview',
  'lookup?q=joe@mailinator.com': 'Look up',
  log: 'Log',
  blocklist: 'Blocklist',
  'blocklist?add': 'Blocklist',
  keys: 'Keys',
  'keys?new': 'Keys',
  lists: 'Lists',
  settings: 'Settings',
};

describe('the console has no serious barrier, and fits', { skip: withoutBrowser }, () => {
  const { browser, flow } = consoleFor();
  let decisionId = '';
  before(async () => {
    const made = await browser().call('POST', '/v1/gates', { name: 'Sign-up' });
    const { data } = (await made.json()) as { data: { id: string } };
    const asked = await browser().call('POST', `/v1/gates/${data.id}/decisions`, { email: 'joe@mailinator.com' });
    decisionId = ((await asked.json()) as { meta: { decision_id: string } }).meta.decision_id;
    await browser().call('POST', '/blocklist', { domain: 'listed.example' });
  });

  for (const [look, options] of Object.entries(looks)) {
    flow(
      look,
      async (page) => {
        for (const [path, title] of [...Object.entries(places), [`log/${decisionId}`, 'Decision'] as const]) {
          await page.goto(`/console/production/${path}`);
          // What lies behind an open dialog is hidden from the tree of roles.
          await page.getByRole('heading', { name: title, exact: true, includeHidden: true }).waitFor();
          await page.waitForLoadState('networkidle');
          await assertOpen(page, path);
        }
      },
      options,
    );
  }

  flow(
    'before signing in',
    async (page) => {
      await page.goto('/console/');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await assertOpen(page, 'sign-in');
    },
    { signedOut: true, expected: /401/ },
  );
});

async function assertOpen(page: Page, place: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${place}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    [],
  );
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  assert.ok(Number(overflow) <= 0, `${place} is ${overflow} pixels too wide`);
}
