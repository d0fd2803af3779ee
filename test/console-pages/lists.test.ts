import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startDownloadServer } from '../download-server.ts';
import { chooseOnly } from '../lists/choose-only.ts';
import { assertAccessible } from './accessible.ts';
import { openConsole } from './console-browser.ts';
import { withoutBrowser } from './watched-page.ts';

describe('the lists in the console', { skip: withoutBrowser }, () => {
  it('a refresh shows its progress, then each source’s result, new edition and error', async () => {
    const publisher = await startDownloadServer();
    const { origin } = publisher;
    publisher.lastModified = 'Sun, 01 Nov 2026 06:00:00 GMT';
    publisher.serve('/tor', `${'192.0.2.1\n'.repeat(5_000)}192.0.2.2\n`, 'held');
    publisher.serve('/relay', 'later', 'error');
    const opened = await openConsole(
      { OFFLINE: 'false', OUTBOUND_ALLOW: origin, DNS_SERVERS: '127.0.0.1:9' },
      (dataDir) => chooseOnly(dataDir, { 'tor-exits': `${origin}/tor`, 'icloud-relay': `${origin}/relay` }),
    );
    try {
      await opened.withPage(async (page) => {
        await page.goto('/console/production/lists');
        const row = (source: string) => page.getByRole('row').filter({ hasText: source });
        await row('tor-exits').getByText('never').waitFor();
        await page.getByText(/About \d+ % of the disposable domains of the last half year are known/).waitFor();
        await page.getByRole('button', { name: 'Refresh now' }).click();
        await page.getByRole('heading', { name: 'Refreshing' }).waitFor();
        await page.getByText('0 of 2 sources').waitFor();
        await page.getByText(/^tor-exits: \d+ KB$/).waitFor();
        assert.equal(await page.getByRole('progressbar', { name: 'Refresh' }).getAttribute('value'), '0');
        assert.ok(await page.getByRole('button', { name: 'Refresh now' }).isDisabled());
        await assertAccessible(page, 'a refresh in progress');
        publisher.release();
        await page.getByRole('heading', { name: 'Last refresh' }).waitFor();
        await page.getByText('2 of 2 sources').waitFor();
        await page.getByText('Of 2 sources: 1 updated and 1 failed.').waitFor();
        const results = page.getByRole('listitem').filter({ hasText: /tor-exits|icloud-relay/ });
        assert.match((await results.nth(0).textContent()) ?? '', /^updated tor-exits/);
        assert.match((await results.nth(1).textContent()) ?? '', /^failed icloud-relay .*503/);
        await row('tor-exits').getByText('1 Nov').waitFor();
        assert.doesNotMatch((await row('tor-exits').textContent()) ?? '', /never/);
        assert.match((await row('icloud-relay').textContent()) ?? '', /never/);
        await row('icloud-relay').getByText('503').waitFor();
        await assertAccessible(page, 'a refresh that is over');
      });
    } finally {
      await opened.close();
      await publisher.close();
    }
  });
});
