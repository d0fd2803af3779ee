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

        await page.getByRole('link', { name: 'jane@gmail.com' }).click();
        await page.getByRole('link', { name: 'the hook Supabase' }).click();
        await page.getByText('Connected:').waitFor();

        await page.getByRole('button', { name: 'Delete Supabase' }).click();
        await page.getByText('cannot be restored').waitFor();
        await assertAccessible(page, 'the deletion of a hook');
        await page.getByRole('button', { name: 'Delete the hook' }).click();
        await page.getByText('Hooks of production').waitFor({ state: 'detached' });
        assert.equal((await call(secret)).status, 404);
      });
    } finally {
      await opened.close();
    }
  });

  it('offers every stack, and three steps with code and a new key for those that are code', async () => {
    const opened = await openConsole({});
    try {
      await opened.withPage(async (page) => {
        await page.goto('/console/production/connect');
        const offered = page.getByRole('region', { name: 'How do people sign up?' }).getByRole('link');
        await offered.first().waitFor();
        assert.deepEqual(await offered.allTextContents(), [
          ...['Supabase', 'Ory Kratos', 'Zitadel', 'Okta', 'WorkOS', 'FusionAuth'],
          ...[
            'Better Auth',
            'Auth.js',
            'Next.js',
            'Express',
            'Fastify',
            'Hono',
            'Nest',
            'My own code',
            'Anything else',
          ],
        ]);
        await page.getByRole('link', { name: 'Express' }).click();
        assert.match(await page.getByRole('textbox', { name: 'the code' }).inputValue(), /signUpGuard\(/);
        await page.getByRole('button', { name: 'Create a key' }).click();
        await page.getByText('The key is shown once').waitFor();
        const variables = await page.getByRole('textbox', { name: 'the variables' }).inputValue();
        const [, key = ''] = /^SIGNALPOST_KEY=(sp_prd_.+)$/m.exec(variables) ?? [];
        await assertAccessible(page, 'the steps for a framework');

        await page.getByRole('link', { name: 'My own code' }).click();
        await page.getByRole('radio', { name: 'Python' }).check({ force: true });
        const code = await page.getByRole('textbox', { name: 'the Python code' }).inputValue();
        const [, gateId] = /gates\/(\w{26})/.exec(code) ?? assert.fail(code);
        await page.getByText('Waiting for the first call…').waitFor();
        const { status } = await fetch(`${opened.service.url}/v1/gates/${gateId}/decisions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'jane@gmail.com' }),
        });
        assert.equal(status, 200);
        await page.getByText('Connected:').waitFor();
      });
    } finally {
      await opened.close();
    }
  });
});
