import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { consoleFor } from './console-browser.ts';
import { withoutBrowser } from './watched-page.ts';

describe('the pages of the console', { skip: withoutBrowser }, () => {
  const { browser, flow } = consoleFor();
  let gateId = '';
  before(async () => {
    const made = await browser().call('POST', '/v1/gates', { name: 'Sign-up' });
    gateId = ((await made.json()) as { data: { id: string } }).data.id;
    for (const email of ['joe@mailinator.com', 'jane@gmail.com']) {
      await browser().call('POST', `/v1/gates/${gateId}/decisions`, { email, ip: '203.0.113.7' });
    }
  });

  flow(
    'look something up: a sentence for each signal, its reasons, what a gate would say, and the domain blocked',
    async (page) => {
      await page.goto('/console/production/lookup');
      await page.getByRole('searchbox').fill('joe@mailinator.com');
      await page.keyboard.press('Enter');
      await page.getByText(/^Yes, on \d+ lists$/).waitFor();
      await page.locator('dl div', { hasText: 'Disposable?' }).getByText('why').click();
      await page
        .getByText(/· .*listed|entry mailinator\.com/)
        .first()
        .waitFor();
      await page.getByRole('combobox', { name: 'Gate' }).selectOption({ label: 'Sign-up' });
      await page.getByText('decides').waitFor();
      await page.getByRole('button', { name: 'Block mailinator.com' }).click();
      await page.getByText('mailinator.com is on the blocklist of production').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('mailinator.com is no longer on the blocklist').waitFor();
    },
  );

  flow(
    'an address that is none is reported at its field, and a service where anyone has a mailbox is not offered to block',
    async (page) => {
      await page.goto('/console/production/lookup?q=nonsense');
      await page.getByText('“nonsense” is neither an email address nor a domain.').waitFor();
      await page.getByRole('searchbox').fill('jane@gmail.com');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Verdict' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Block gmail.com' }).count(), 0);
      assert.equal(await page.getByText('Same mailbox as').count(), 0);
    },
    { expected: /400/ },
  );

  flow('a new page begins at its top, and the way back leads to the same place', async (page) => {
    const top = () => page.evaluate<number>('scrollY');
    await page.goto('/console/production/lists');
    await page.getByText('Versions, licences and intervals').scrollIntoViewIfNeeded();
    const before = await top();
    assert.ok(before > 500);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    assert.equal(await top(), 0);
    await page.goBack();
    await page.getByText('Versions, licences and intervals').waitFor();
    await page.waitForFunction(`scrollY === ${before}`);
  });

  flow('explain a block from one pasted address', async (page) => {
    await page.goto('/console/production/overview');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /Page, gate or action/ }).fill('joe@mailinator.com');
    await page.getByRole('option', { name: 'Find joe@mailinator.com in the log' }).click();
    await page.getByRole('link', { name: 'joe@mailinator.com' }).click();
    await page.getByText(/^Blocked by “/).waitFor();
    await page.getByText('(it was yes)').waitFor();
    assert.ok(await page.getByText('Receives mail', { exact: true }).isHidden());
    await page.getByText(/^All \d+ signals$/).click();
    await page.getByRole('searchbox', { name: 'Filter signals' }).fill('mail');
    await page.getByText('Receives mail', { exact: true }).waitFor();
    await page.getByText('Reply for support').click();
    assert.match(
      await page.getByRole('textbox', { name: 'the reply' }).inputValue(),
      /^Your sign-up with joe@mailinator\.com/,
    );
    await page.getByRole('button', { name: 'Decide again' }).click();
    await page.getByText('No credit was used.').waitFor();
    await page.getByRole('link', { name: 'Same IP: 1 other decision' }).click();
    await page.getByRole('link', { name: 'jane@gmail.com' }).waitFor();
    await page.goBack();
    await page
      .getByText(/^on \d lists$/)
      .first()
      .waitFor();
    assert.match(
      (await page.getByRole('definition').filter({ hasText: 'fakefilter' }).textContent()) ?? '',
      /^fakefilteredition of \d/,
    );
    await page.getByRole('link', { name: 'fakefilter' }).click();
    await page.getByRole('button', { name: 'List: fakefilter' }).waitFor();
    await page.getByRole('link', { name: 'joe@mailinator.com' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'jane@gmail.com' }).count(), 0);
  });

  flow('let a blocked person in with the smallest change, and undo it', async (page) => {
    const ruleNames = async () => {
      const { data } = (await (await browser().call('GET', `/v1/gates/${gateId}`)).json()) as {
        data: { rules: { name: string; mode: string }[] };
      };
      return data.rules.map(({ name, mode }) => `${name} ${mode}`);
    };
    const actionFor = async (email: string) => {
      const response = await browser().call('POST', `/v1/gates/${gateId}/trace`, { email });
      return ((await response.json()) as { data: { action: string } }).data.action;
    };
    const before = await ruleNames();
    await page.goto('/console/production/log?q=joe@mailinator.com');
    await page.getByRole('link', { name: 'joe@mailinator.com' }).click();
    await page.getByRole('button', { name: 'Let them in…' }).click();
    const choices = page.getByRole('listitem').filter({ has: page.getByText(/^Would have allowed/) });
    await choices.nth(2).waitFor();
    assert.deepEqual(await choices.locator('p').allInnerTexts(), [
      'Add joe@mailinator.com to the list “Customers”',
      'Would have allowed 1 more of 2 decisions.',
      'Add mailinator.com to the list “Customer domains”',
      'Would have allowed 1 more of 2 decisions.',
      'Put “Disposable email” into shadow mode',
      'Would have allowed 1 more of 2 decisions.',
    ]);
    await page.getByRole('button', { name: 'Allow this address' }).click();
    await page.getByText('The saved rules allow them already').waitFor();
    assert.deepEqual(await ruleNames(), ['Customers live', ...before]);
    assert.equal(await actionFor('joe+vip@mailinator.com'), 'allow');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The change was undone.').waitFor();
    assert.equal(await actionFor('joe@mailinator.com'), 'block');
  });

  flow('label all decisions of a filter, and undo it', async (page) => {
    const outcomes = async () => {
      const { data } = (await (await browser().call('GET', '/v1/decisions')).json()) as {
        data: { input: { email: string }; outcome: string | null }[];
      };
      return data.map(({ input, outcome }) => `${input.email} ${outcome}`).sort();
    };
    const before = await outcomes();
    await page.goto('/console/production/log?q=203.0.113.7');
    await page.getByRole('button', { name: 'Label all…' }).click();
    await page.getByText('2 decisions will be labelled.').waitFor();
    await page.getByRole('button', { name: 'Label 2 bad' }).click();
    await page.getByText('2 decisions labelled bad').waitFor();
    assert.deepEqual(await outcomes(), ['jane@gmail.com bad', 'joe@mailinator.com bad']);
    await page.goto('/console/production/overview');
    await page.getByRole('link', { name: '1 of 1 sign-up' }).waitFor();
    await page.goto('/console/production/log?q=203.0.113.7');
    await page.getByRole('button', { name: 'Label all…' }).click();
    await page.getByText('2 decisions have an outcome already').waitFor();
    await page.getByRole('button', { name: 'Label 2 good' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The earlier outcomes are restored.').waitFor();
    assert.deepEqual(await outcomes(), ['jane@gmail.com bad', 'joe@mailinator.com bad']);
    assert.deepEqual(before, ['jane@gmail.com null', 'joe@mailinator.com null']);
  });

  flow('show new decisions of the log on request', async (page) => {
    await page.goto('/console/production/log');
    await page.getByRole('link', { name: 'jane@gmail.com' }).waitFor();
    await browser().call('POST', `/v1/gates/${gateId}/decisions`, { email: 'late@gmail.com' });
    assert.equal(await page.getByRole('link', { name: 'late@gmail.com' }).count(), 0);
    await page.getByRole('button', { name: '1 new' }).click();
    await page.getByRole('link', { name: 'late@gmail.com' }).waitFor();
  });

  flow(
    'filter the log by several actions, country and network, and export exactly that',
    async (page) => {
      await page.goto('/console/production/log');
      await page.getByRole('link', { name: 'jane@gmail.com' }).waitFor();
      await page.getByRole('checkbox', { name: 'block' }).check({ force: true });
      await page.getByRole('checkbox', { name: 'challenge' }).check({ force: true });
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('textbox', { name: 'Network' }).fill('203.0.113.0/16');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('The network parameter must be an AS number').waitFor();
      await page.getByRole('textbox', { name: 'Network' }).fill('203.0.113.0/24');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('button', { name: 'Network: 203.0.113.0/24' }).waitFor();
      await page.getByText('1 decision found').waitFor();
      assert.match(page.url(), /\?action=challenge%2Cblock&network=203\.0\.113\.0%2F24$/);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'NDJSON' }).click();
      const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n');
      assert.deepEqual(
        lines.map((line) => (({ input, action }) => [input.email, action])(JSON.parse(line))),
        [['joe@mailinator.com', 'block']],
      );
      await page.getByRole('button', { name: 'Network: 203.0.113.0/24' }).click();
      await page.getByRole('checkbox', { name: 'block' }).uncheck({ force: true });
      await page.getByText('No decisions in production match these filters.').waitFor();
    },
    { expected: /422/ },
  );

  flow(
    'open a decision beside the log on a large screen, and export what is filtered',
    async (page) => {
      await page.goto('/console/production/log?q=joe@mailinator.com&range=24h');
      await page.getByText('1 decision found').waitFor();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      const csv = await readFile(await (await saved).path(), 'utf8');
      assert.match(
        csv,
        /^id,created_at,gate,subject,ip,action,rule,outcome\r\n\w{26},.+,Sign-up,joe@mailinator\.com,203\.0\.113\.7,block,.+,bad\r\n$/,
      );
      await page.getByRole('link', { name: 'joe@mailinator.com' }).click();
      const panel = page.getByRole('complementary', { name: 'Decision' });
      await panel.getByText(/^Blocked by “/).waitFor();
      assert.match(page.url(), /log\?q=joe.*&open=\w{26}$/);
      await panel.getByRole('button', { name: 'Close the decision' }).click();
      await panel.waitFor({ state: 'detached' });
      await page.goto(`/console/production/gates/${gateId}/log`);
      await page.getByRole('link', { name: 'jane@gmail.com' }).waitFor();
      await page.getByRole('heading', { name: 'Sign-up' }).waitFor();
    },
    { viewport: { width: 1600, height: 900 } },
  );

  flow('start a gate from a preset, and a rule from a template', async (page) => {
    await page.goto('/console/production/gates?new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Watched');
    await page.getByRole('radio', { name: /^Monitor only/ }).check();
    await page.getByRole('button', { name: 'Create in production' }).click();
    await page.getByRole('list', { name: 'Rules' }).waitFor();
    assert.equal(await page.getByRole('list', { name: 'Rules' }).getByText('shadow', { exact: true }).count(), 8);
    await page.getByRole('combobox', { name: 'Rule from a template' }).selectOption({ label: 'New domain' });
    await page.getByRole('button', { name: /^New domain Domain · Age is less than 30 days/ }).waitFor();
    await page.getByRole('button', { name: 'Rule', exact: true }).click();
    await page.getByText('2 unsaved changes').waitFor();
    assert.equal(await page.getByText('needs attention').count(), 0);
  });

  flow('show a key once, and revoke it', async (page) => {
    await page.goto('/console/production/keys');
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('from the test');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('textbox', { name: 'the key' }).inputValue();
    assert.equal(await page.getByRole('textbox', { name: 'the line' }).inputValue(), `SIGNALPOST_KEY=${key}`);
    assert.equal(await browser().service.statusWith(key), 200);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    assert.ok(!(await page.content()).includes(key));
    await page.getByRole('button', { name: 'Revoke from the test' }).click();
    await page.getByRole('button', { name: 'Revoke in production' }).click();
    await page.getByText('from the test no longer works').waitFor();
  });

  flow(
    'create a publishable key for a page, after an origin is corrected',
    async (page) => {
      await page.goto('/console/production/keys?new');
      await page.getByRole('textbox', { name: 'Name' }).fill('landing page');
      await page.getByText('web page', { exact: true }).click();
      await page.getByRole('textbox', { name: 'Origins' }).fill('app.example.com');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('alert').filter({ hasText: 'https://app.example.com' }).waitFor();
      await page.getByRole('textbox', { name: 'Origins' }).fill('https://app.example.com\nhttps://www.example.com');
      await page.getByRole('switch', { name: 'Show disposable' }).click();
      await page.getByRole('button', { name: 'Create key' }).click();
      const key = await page.getByRole('textbox', { name: 'the key' }).inputValue();
      assert.match(key, /^sp_pub_/);
      const line = await page.getByRole('textbox', { name: 'the line' }).inputValue();
      assert.ok(line.includes(`/form.js" data-key="${key}"`), line);
      await page.getByRole('button', { name: 'I have saved it' }).click();
      await page.getByText('https://app.example.com, https://www.example.com').waitFor();
      const hint = await fetch(`${browser().service.url}/v1/hints`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          origin: 'https://www.example.com',
        },
        body: JSON.stringify({ email: 'joe@mailinator.com' }),
      });
      assert.deepEqual(await hint.json(), { valid: true, did_you_mean: null, disposable: true });
    },
    { expected: /422/ },
  );

  flow('let an operator add entries to a list, and undo', async (page) => {
    await page.goto('/console/production/lists');
    await page.getByPlaceholder('domain.example, another.example').fill('own.example');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Remove own.example' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Remove own.example' }).waitFor();
  });

  flow('add a user by a link, and remove them', async (page) => {
    await page.goto('/console/production/settings');
    await page.getByLabel('Add a user').fill('joe@example.com');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const link = await page.getByRole('textbox', { name: 'the link' }).inputValue();
    assert.match(link, /\/console\/sign-in#\S+$/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Remove joe@example.com' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('joe@example.com can no longer sign in').waitFor();
  });

  flow(
    'say of a stranger’s id that it was not found',
    async (page) => {
      await page.goto('/console/production/log/01KA1B2C3D4E5F6G7H8J9K0M1N');
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      await page.goto('/console/nowhere/log');
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
    },
    { expected: /404/ },
  );

  flow(
    'load a file again whose request failed, and reload once when it stays missing',
    async (page) => {
      let failures = 0;
      await page.route('**/assets/pages-*.js', (route) => {
        failures += 1;
        return failures === 1 ? route.abort() : route.continue();
      });
      await page.goto('/console/production/keys');
      await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
      assert.equal(failures, 2);
      await page.unroute('**/assets/pages-*.js');
      let loads = 0;
      page.on('load', () => {
        loads += 1;
      });
      await page.route('**/assets/pages-*.js', (route) => route.fulfill({ status: 404 }));
      await page.goto('/console/production/log');
      await page.getByRole('heading', { name: 'This page stopped working' }).waitFor();
      assert.equal(loads, 2);
      await page.unroute('**/assets/pages-*.js');
      await page.getByRole('button', { name: 'Reload' }).click();
      await page.getByRole('link', { name: 'jane@gmail.com' }).waitFor();
    },
    { expected: /./ },
  );

  flow(
    'keep the navigation when a page throws',
    async (page) => {
      await page.route('**/console/api/production/overview*', (route) => route.fulfill({ json: { data: {} } }));
      await page.goto('/console/production/overview');
      await page.getByRole('heading', { name: 'This page stopped working' }).waitFor();
      await page.getByRole('link', { name: 'Keys' }).click();
      await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    },
    { expected: /./ },
  );

  flow(
    'report an outage once, also when offline, and recover without a click',
    async (page) => {
      await page.goto('/console/production/overview');
      await page.getByRole('heading', { name: 'Latest blocks' }).waitFor();
      await page.route('**/console/api/production/**', (route) => route.fulfill({ status: 503, json: {} }));
      await page.getByRole('link', { name: 'Log', exact: true }).click();
      await page.getByText('Some data could not be loaded.').waitFor();
      assert.equal(await page.getByRole('alert').count(), 1);
      await page.unroute('**/console/api/production/**');
      await page.getByRole('link', { name: 'jane@gmail.com' }).waitFor();
      assert.equal(await page.getByRole('alert').count(), 0);
      await page.context().setOffline(true);
      await page.getByText('You are offline.').waitFor();
      await page.context().setOffline(false);
      await page.getByText('You are offline.').waitFor({ state: 'detached' });
    },
    { expected: /./ },
  );

  flow(
    'keep selected items and data visible with forced colours, and stop motion where it is reduced',
    async (page) => {
      await page.goto('/console/production/gates');
      await page.getByRole('link', { name: 'Sign-up', exact: true }).first().waitFor();
      const styleOf = (selector: string, name: string) =>
        page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`);
      assert.equal(await styleOf('nav [aria-current="page"]', 'outlineStyle'), 'solid');
      assert.notEqual(await styleOf('main [data-action]', 'backgroundColor'), await styleOf('html', 'backgroundColor'));
      assert.equal(await styleOf('main button', 'transitionDuration'), '0.001s, 0.001s');
    },
    { forcedColors: 'active', reducedMotion: 'reduce' },
  );

  flow('keep page and filters when the environment changes, and open the list of an object', async (page) => {
    await page.goto('/console/production/log?action=block');
    await page.getByRole('link', { name: 'joe@mailinator.com' }).click();
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('staging');
    await page.getByRole('heading', { name: 'Log' }).waitFor();
    assert.match(page.url(), /\/staging\/log$/);
    await page.goBack();
    await page.goBack();
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('staging');
    assert.match(page.url(), /\/staging\/log\?action=block$/);
  });

  flow('obey single keys outside inputs only, and not when they are turned off', async (page) => {
    await page.goto('/console/production/overview');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await press(page, 'g', 'l');
    await page.getByRole('link', { name: 'jane@gmail.com' }).waitFor();
    await press(page, 'j', 'j', 'k');
    assert.equal(await page.evaluate('document.activeElement.closest("tr").rowIndex'), 1);
    await press(page, '/');
    await press(page, 'g', 'b');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'gb');
    await page.locator('h1').focus();
    await press(page, '?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await press(page, 'Escape');
    await page.goto('/console/production/settings');
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).click();
    await page.locator('h1').focus();
    await press(page, 'g', 'l');
    assert.match(page.url(), /settings$/);
  });

  flow(
    'open a decision by the id of its request, which the logs of a program have',
    async (page) => {
      const asked = await browser().call('POST', `/v1/gates/${gateId}/decisions`, { domain: 'example.org' });
      const { meta } = (await asked.json()) as { meta: { request_id: string; decision_id: string } };
      assert.notEqual(meta.request_id, meta.decision_id);
      await page.goto('/console/production/log');
      await page.getByRole('heading', { name: 'Log' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /Page, gate or action/ }).fill(meta.request_id);
      await page.getByRole('option', { name: /^Open decision/ }).click();
      await page.waitForURL(`**/production/log/${meta.decision_id}`);
      await page.getByRole('region', { name: 'The decision' }).getByText('example.org').waitFor();
    },
    { expected: /404/ },
  );
});

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
