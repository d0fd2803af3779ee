import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authServers } from '../hook-caller.ts';
import { assertAccessible } from './accessible.ts';
import { openConsole } from './console-browser.ts';
import { withoutBrowser } from './watched-page.ts';

describe('the page that connects an auth server', { skip: withoutBrowser }, () => {
  it('shows what to paste, waits for the first call, names a wrong secret, and shows the exchange of a test', async () => {
    const opened = await openConsole({});
    try {
      await opened.call('POST', '/v1/gates', { name: 'Sign-up' });
      await opened.withPage(async (page) => {
        await page.goto('/console/production/connect');
        await page.getByRole('link', { name: 'Supabase' }).click();
        await page.getByRole('button', { name: 'Create' }).click();
        const variables = page.getByRole('textbox', { name: /Self-hosted/ });
        const text = await variables.inputValue();
        const secret = /SECRETS=(.*)$/.exec(text)?.[1] ?? '';
        const id = /hooks\/(\w{26})/.exec(text)?.[1] ?? '';
        await page.getByText('Waiting for the first call…').waitFor();
        await assertAccessible(page, 'a hook that waits for its first call');

        const call = (key: string) =>
          fetch(`${opened.service.url}/hooks/${id}`, {
            method: 'POST',
            ...authServers.supabase?.({ email: 'jane@gmail.com' }, key, Date.now()),
          });
        assert.equal((await call(`v1,whsec_${Buffer.alloc(32).toString('base64')}`)).status, 401);
        await page.getByText('made with another secret').waitFor();
        assert.equal((await call(secret)).status, 200);
        await page.getByText('jane@gmail.com').waitFor();
        await page.getByText('allowed').first().waitFor();

        await page.getByRole('button', { name: 'Test' }).click();
        const response = await page.getByRole('textbox', { name: 'the response' }).inputValue();
        assert.match(response, /"http_code":422/);
        await assertAccessible(page, 'a connected hook with a test');
        assert.ok(!(await page.getByRole('textbox', { name: 'the request' }).inputValue()).includes(secret));

        await page.reload();
        await page.getByText('is not shown again').waitFor();
        assert.ok(!(await page.content()).includes(secret));

        await page.goto('/console/production/connect?stack=Express');
        await page.getByText('Connect Express').waitFor();
        assert.match(await page.getByRole('textbox', { name: 'the code' }).inputValue(), /signUpGuard\(/);
      });
    } finally {
      await opened.close();
    }
  });
});
