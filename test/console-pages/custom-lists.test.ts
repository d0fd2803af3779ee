import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { assertAccessible } from './accessible.ts';
import { consoleFor } from './console-browser.ts';
import { withoutBrowser } from './watched-page.ts';

describe('custom lists in the console', { skip: withoutBrowser }, () => {
  const { browser, flow } = consoleFor();
  const call = async <T>(method: string, path: string, body?: object): Promise<T> =>
    (await (await browser().call(method, path, body)).json()) as T;

  flow('creates a list, adds pasted entries for 30 days, finds one, and removes it with undo', async (page) => {
    await page.goto('/console/production/custom-lists');
    await page.getByText('Keep customers that must never be blocked').waitFor();
    await page.getByRole('button', { name: 'New list' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Customers');
    await page.getByRole('button', { name: 'Create list' }).click();
    await page.getByRole('heading', { name: 'Customers' }).waitFor();
    await page.getByText('No rule uses this list yet.').waitFor();
    await page.getByRole('button', { name: 'Add entries' }).first().click();
    await page.getByRole('textbox', { name: 'Entries' }).fill('Jane@Example.com\nnonsense\njoe@example.com');
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('in 30 days');
    await page.getByRole('textbox', { name: 'Note' }).fill('Ticket 4711');
    await assertAccessible(page, 'new entries');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('new 2').waitFor();
    await page.getByText('line 2: nonsense The email address is invalid.').waitFor();
    await page.getByRole('button', { name: 'Add 2 entries' }).click();
    await page.getByText(/Email addresses, 2 entries/).waitFor();
    await page.getByRole('searchbox').fill('jane');
    await page.getByRole('button', { name: 'Remove jane@example.com' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('jane@example.com was restored').waitFor();
    await assertAccessible(page, 'a list');
  });

  flow('starts a gate of the standard preset with the list of customers, which it creates once', async (page) => {
    for (const gate of ['First door', 'Second door']) {
      await page.goto('/console/staging/gates?new');
      await page.getByRole('textbox', { name: 'Name' }).fill(gate);
      await page.getByRole('button', { name: 'Create in staging' }).click();
      await page.getByText('is on the list “Customers”').first().waitFor();
      const rules = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
      assert.match((await rules.first().textContent()) ?? '', /Customers/);
    }
    await page.goto('/console/staging/custom-lists');
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByText('Used by').waitFor();
  });

  flow('exports the entries of a list oldest first, so that adding them again restores their order', async (page) => {
    const { data: list } = await call<{ data: { id: string } }>('POST', '/v1/lists', { name: 'Ordered', kind: 'text' });
    const entries = ['first', 'second', 'third'].map((value) => ({ value }));
    await call('POST', `/v1/lists/${list.id}/entries`, { entries });
    await page.goto(`/console/production/custom-lists/${list.id}`);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const text = (await (await (await download).createReadStream()).toArray()).join('');
    const [, ...rows] = text.trim().split('\n');
    assert.deepEqual(
      rows.map((row) => row.split(',')[0]),
      ['first', 'second', 'third'],
    );
  });

  flow('copies a gate to another environment with the lists that its rules use', async (page) => {
    const post = async (path: string, body: object) => (await call<{ data: { id: string } }>('POST', path, body)).data;
    const list = await post('/v1/lists', { name: 'Guests', kind: 'email' });
    await post(`/v1/lists/${list.id}/entries`, { entries: [{ value: 'ann@example.com', note: 'Ticket 4711' }] });
    const conditions = [{ field: 'email.address', operator: 'in_list', value: list.id }];
    const gate = await post('/v1/gates', { name: 'Copied', rules: [{ name: 'Guests', action: 'allow', conditions }] });
    for (const _ of ['creates the list', 'finds it']) {
      await page.goto(`/console/production/gates/${gate.id}`);
      await page.getByLabel('More for this gate').click();
      await page.getByText('Copy to another environment…').click();
      await page.getByRole('button', { name: 'Copy to staging' }).click();
      await page.waitForURL(/\/staging\/gates\//);
      await page.getByText('is on the list “Guests”').first().waitFor();
    }
    await page.goto('/console/staging/custom-lists');
    await page.getByRole('link', { name: 'Guests' }).click();
    await page.getByText(/Email addresses, 1 entry/).waitFor();
    await page.getByText('Ticket 4711').waitFor();
  });

  flow('uses a list in a rule by its name, and adds to it from the log and a decision in two clicks', async (page) => {
    const post = async (path: string, body: object) => (await call<{ data: { id: string } }>('POST', path, body)).data;
    const list = await post('/v1/lists', { name: 'Regulars', kind: 'email' });
    const conditions = [{ field: 'email.address', operator: 'in_list', value: list.id }];
    const gate = await post('/v1/gates', { name: 'Door', rules: [{ name: 'Regulars', action: 'allow', conditions }] });
    for (const email of ['ann@example.com', 'bob@example.com'])
      await call('POST', `/v1/gates/${gate.id}/decisions`, { email });
    await page.goto(`/console/production/gates/${gate.id}`);
    await page.getByText('is on the list “Regulars”').first().waitFor();
    await page.goto('/console/production/log');
    const add = page.getByRole('button', { name: 'Add ann@example.com to a list…' });
    await page.setViewportSize({ width: 390, height: 844 });
    await add.waitFor();
    const subject = await page.getByRole('link', { name: 'ann@example.com' }).boundingBox();
    const button = await add.boundingBox();
    assert.ok(subject && button);
    assert.ok(button.y < subject.y + subject.height && subject.y < button.y + button.height, 'on a phone, in one line');
    await page.setViewportSize({ width: 1280, height: 900 });
    await add.click();
    await page.getByRole('button', { name: 'Add ann@example.com to Regulars' }).click();
    await page.getByText('ann@example.com was added to Regulars').waitFor();
    await page.getByRole('link', { name: 'bob@example.com' }).click();
    await page.getByRole('button', { name: 'Add to list…' }).click();
    await page.getByRole('button', { name: 'Add bob@example.com to Regulars' }).click();
    await page.getByText('bob@example.com was added to Regulars').waitFor();
    const { data } = await call<{ data: { entries_count: number } }>('GET', `/v1/lists/${list.id}`);
    assert.equal(data.entries_count, 2);
  });
});
