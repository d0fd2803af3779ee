import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comeIn, consoleFor, openConsole, owner } from './console-browser.ts';
import { withoutBrowser } from './watched-page.ts';

describe('signing in to the console', { skip: withoutBrowser }, () => {
  const { browser, flow } = consoleFor();

  it('starts with the printed link: the user chooses a password, and the token is nowhere afterwards', async () => {
    const opened = await openConsole();
    try {
      await opened.withPage(
        async (page) => {
          await page.goto('/console/');
          await page.getByRole('heading', { name: 'Sign in for the first time' }).waitFor();
          assert.match(await page.getByRole('textbox').first().inputValue(), /signalpost users reset-password/);
          // Opening it signs in no one: the page names the user and account, and waits for the button.
          await page.goto(opened.signInLink);
          await page.getByText('This link signs you in to the account Default as owner@localhost').waitFor();
          assert.ok(!page.url().includes('#'));
          assert.deepEqual(await page.context().cookies(), []);
          await page.goto('about:blank');
          await comeIn(page, opened.signInLink);
          const token = new URL(opened.signInLink).hash.slice(1);
          const kept = await page.evaluate('location.href + JSON.stringify(localStorage) + document.cookie');
          assert.ok(!String(kept).includes(token));
          await page.getByRole('heading', { name: /Three steps to your first decision/ }).waitFor();
        },
        { signedOut: true },
      );
      await opened.withPage(
        async (page) => {
          await page.goto(opened.signInLink);
          await page.getByText('This link is no longer valid').waitFor();
          assert.ok(!page.url().includes('#'));
        },
        { signedOut: true, expected: /401/ },
      );
    } finally {
      await opened.close();
    }
  });

  it('works by password, and shows the wait after failed attempts', async () => {
    // Makes the first session, and with it the user.
    await browser().withPage(async (page) => void (await page.goto('/console/')));
    await browser().withPage(
      async (page) => {
        await page.goto('/console/staging/log?action=block');
        const tooMany = page.getByText(/Try again in/);
        // The waits double, so that soon one is longer than it takes to try again.
        for (let tries = 0; tries < 12 && !(await tooMany.isVisible()); tries += 1) {
          await page.getByLabel('Email').fill('joe@example.com');
          await page.getByLabel('Password').fill(`wrong password ${tries}`);
          const answered = page.waitForResponse(/sign-in$/);
          await page.getByRole('button', { name: 'Sign in' }).click();
          await answered;
          await page.getByText('Wrong email address or password').or(tooMany).waitFor();
        }
        await tooMany.waitFor();
        await page.getByLabel('Email').fill(owner.email);
        await page.getByLabel('Password').fill(owner.password);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('heading', { name: 'Log' }).waitFor();
        assert.match(page.url(), /\/console\/staging\/log\?action=block$/);
      },
      { signedOut: true, expected: /401|429/ },
    );
  });

  flow(
    'asks for the password over the page when the session has ended, and keeps what was typed',
    async (page) => {
      await page.goto('/console/production/keys?new');
      const typed = page.getByRole('textbox', { name: 'Name' });
      await typed.fill('kept through it all');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByLabel('Password').fill(owner.password);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await typed.inputValue(), 'kept through it all');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('button', { name: 'I have saved it' }).waitFor();
    },
    { expected: /401/ },
  );
});
