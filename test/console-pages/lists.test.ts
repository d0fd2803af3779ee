import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startDownloadServer } from '../download-server.ts';
import { chooseOnly } from '../lists/choose-only.ts';
import { assertAccessible } from './accessible.ts';
import { openConsole } from './console-browser.ts';
import { keyboard } from './user-hands.ts';
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
        await page.getByRole('listitem').filter({ hasText: 'Tor exits' }).getByText('never downloaded').waitFor();
        await page.getByText('Versions, licences and intervals').click();
        await row('tor-exits').getByText('never').waitFor();
        await page.getByText(/About \d+ % of the disposable domains of the last half year are known/).waitFor();
        await keyboard(page).press(page.getByRole('button', { name: 'Refresh now' }));
        await page.getByRole('heading', { name: 'Refreshing' }).waitFor();
        await page.getByText('0 of 2 sources').waitFor();
        await page.getByText(/^Tor exits: \d+ KB$/).waitFor();
        assert.equal(await page.getByRole('progressbar', { name: 'Refresh' }).getAttribute('value'), '0');
        assert.ok(await page.getByRole('button', { name: 'Refresh now' }).isDisabled());
        await assertAccessible(page, 'a refresh in progress');
        publisher.release();
        await page.getByRole('heading', { name: 'Last refresh' }).waitFor();
        await page.getByText('2 of 2 sources').waitFor();
        await page.getByText('Of 2 sources, 1 was updated and 1 was not updated (iCloud Private Relay).').waitFor();
        const results = page.getByRole('listitem').filter({ hasText: /^(updated|failed) / });
        assert.match((await results.nth(0).textContent()) ?? '', /^updated Tor exits/);
        assert.match((await results.nth(1).textContent()) ?? '', /^failed iCloud Private Relay .*503/);
        await row('tor-exits').getByText('1 Nov').waitFor();
        assert.doesNotMatch((await row('tor-exits').textContent()) ?? '', /never/);
        assert.match((await row('icloud-relay').textContent()) ?? '', /never/);
        await row('icloud-relay').getByText('503').waitFor();
        await page.getByRole('searchbox', { name: 'Domain' }).fill('joe@x.mailinator.com');
        await page.getByRole('button', { name: 'Find' }).click();
        const said = page.getByRole('table', { name: 'Sources that name x.mailinator.com' }).getByRole('row');
        assert.match((await said.nth(1).textContent()) ?? '', /entry mailinator\.comDisposablebefore \d/);
        assert.match((await said.filter({ hasText: 'fakefilter' }).textContent()) ?? '', /Disposable\d+ \w+ 20\d\d/);
        await assertAccessible(page, 'a refresh that is over');
      });
    } finally {
      await opened.close();
      await publisher.close();
    }
  });
});
