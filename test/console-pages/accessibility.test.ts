import { before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, assertAccessibleInTheDark, assertFits, phone } from './accessible.ts';
import { consoleFor } from './console-browser.ts';
import { pageLoaded } from './loaded-page.ts';
import { withoutBrowser } from './watched-page.ts';

const places: Readonly<Record<string, string>> = {
  overview: 'Overview',
  'lookup?q=joe@mailinator.com': 'Look up',
  log: 'Log',
  waves: 'Waves',
  blocklist: 'Blocklist',
  'blocklist?add': 'Blocklist',
  'custom-lists': 'Your lists',
  'custom-lists?new': 'Your lists',
  keys: 'Keys',
  'keys?new': 'Keys',
  webhooks: 'Webhooks',
  'webhooks?new': 'Webhooks',
  lists: 'Data sources',
  settings: 'Settings',
};

describe('the console has no serious accessibility violations, and fits the screen', { skip: withoutBrowser }, () => {
  const { browser, flow } = consoleFor();
  let decisionId = '';
  before(async () => {
    const made = await browser().call('POST', '/v1/gates', { name: 'Sign-up' });
    const { data } = (await made.json()) as { data: { id: string } };
    const asked = await browser().call('POST', `/v1/gates/${data.id}/decisions`, { email: 'joe@mailinator.com' });
    decisionId = ((await asked.json()) as { meta: { decision_id: string } }).meta.decision_id;
    await browser().call('POST', '/blocklist', { domain: 'listed.example' });
  });

  const visitAll = async (page: Page, check: (page: Page, path: string) => Promise<void>) => {
    for (const [path, title] of [...Object.entries(places), [`log/${decisionId}`, 'Decision'] as const]) {
      await page.goto(`/console/production/${path}`);
      // Content behind an open dialog is hidden from the tree of roles.
      await page.getByRole('heading', { name: title, exact: true, includeHidden: true }).waitFor();
      await pageLoaded(page);
      await check(page, path);
    }
  };

  flow('in the light and in the dark', (page) => visitAll(page, assertAccessibleInTheDark));

  flow('on a phone, whose layout is the only difference', (page) => visitAll(page, assertFits), phone);

  flow(
    'before signing in',
    async (page) => {
      await page.goto('/console/');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await assertAccessible(page, 'sign-in');
    },
    { signedOut: true },
  );
});
