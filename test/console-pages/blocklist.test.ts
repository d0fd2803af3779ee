import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { consoleFor } from './console-browser.ts';
import { withoutBrowser } from './watched-page.ts';

describe('the blocklist in the console', { skip: withoutBrowser }, () => {
  const { flow } = consoleFor();

  flow(
    'adds a thousand domains with reasons to the blocklist, reports invalid lines, and exports the list',
    async (page) => {
      const lines = Array.from({ length: 1000 }, (_, n) => `domain-${n}.example`);
      await page.goto('/console/production/blocklist');
      await page.getByRole('button', { name: 'Add domains' }).first().click();
      await page.getByLabel('Choose a file…').setInputFiles({
        name: 'domains.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from(
          ['domain,reason', 'https://no.example,x', ...lines.map((line) => `${line},"Spam, again"`), lines[0]].join(
            '\n',
          ),
        ),
      });
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByText('line 2:').waitFor();
      for (const count of ['new 1,000', 'repeated 1', 'invalid 1'])
        await page.getByText(count, { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Add 1,000 domains' }).click();
      await page.getByText(/1,000 domains on your own list/).waitFor();
      await page.getByRole('searchbox').fill('domain-77');
      await page.getByRole('cell', { name: 'Spam, again' }).first().waitFor();
      await page.getByRole('button', { name: 'Remove domain-77.example' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('domain-77.example was restored').waitFor();
      await page.getByRole('button', { name: 'Add domains' }).click();
      await page.getByRole('textbox', { name: 'Domains' }).fill('domain,reason\ndomain-76.example,Fraud');
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByText('new reasons 1', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Change 1 reason' }).click();
      await page.getByText('1 reason changed on the blocklist of production').waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      const file = await (await download).createReadStream();
      const text = (await file.toArray()).join('');
      const [header, ...rows] = text.trim().split('\r\n');
      assert.deepEqual([header, rows.length, rows.at(-1)], ['domain,reason', 1000, 'domain-77.example,"Spam, again"']);
    },
  );
});
