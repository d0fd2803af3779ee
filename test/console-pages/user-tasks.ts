import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Hand } from './user-hands.ts';

/** What a task works with. */
export interface Doing {
  readonly page: Page;
  readonly hand: Hand;
  /** Marks what the task creates: tasks run once by each hand. */
  readonly mark: string;
  /** A key of production. */
  readonly key: string;
  /** Reads from the API of production. */
  readonly read: <T>(path: string) => Promise<T>;
}

/** A task of a user, and the most clicks that it may take. */
export interface UserTask {
  readonly name: string;
  readonly maxClicks: number;
  /** Where the task begins, below `/console`; where the last one ended by default. */
  readonly from?: string;
  readonly run: (doing: Doing) => Promise<void>;
}

const overview = '/production/overview';

const pageNamed = (page: Page, title: string): Locator =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: title, exact: true });
const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name, exact: true });

interface Entries {
  readonly data: readonly [{ readonly input: { readonly email: string } }];
}

/** The tasks on the data of the demo, in the order of a first week. */
export const userTasks: readonly UserTask[] = [
  {
    name: 'a first gate and its code',
    maxClicks: 3,
    from: '/development/overview',
    async run({ page, hand }) {
      await hand.press(page.getByRole('link', { name: 'New gate' }));
      await hand.press(button(page, 'Create in development'));
      await page.getByRole('list', { name: 'Rules' }).waitFor();
      await hand.press(page.getByRole('link', { name: 'Use it', exact: true }));
      await page.getByRole('textbox', { name: /^the .+ code$/ }).waitFor();
    },
  },
  {
    name: 'explain a block',
    maxClicks: 1,
    from: overview,
    async run({ page, hand }) {
      const blocks = page.getByRole('region', { name: 'Latest blocks' });
      await hand.press(blocks.getByRole('listitem').first().getByRole('link'));
      await page.getByText(/^Blocked by “/).waitFor();
    },
  },
  {
    name: 'let her in and see the effect',
    maxClicks: 2,
    async run({ page, hand }) {
      await hand.press(button(page, 'Let them in…'));
      await page.getByText(/last 30 days/).waitFor();
      await hand.press(button(page, 'Allow this address'));
      await page.getByText(/ is on the list “Customers”$/).waitFor();
    },
  },
  {
    name: 'the newest suspicious sign-ups',
    maxClicks: 1,
    from: overview,
    async run({ page, hand }) {
      await hand.press(page.getByRole('region', { name: 'Decisions' }).getByRole('link', { name: /^challenge/ }));
      await page.getByRole('table').getByText('challenge').first().waitFor();
    },
  },
  {
    name: 'open a wave and act',
    maxClicks: 2,
    from: overview,
    async run({ page, hand }) {
      await hand.press(page.getByRole('link', { name: /^Wave \d+ d ago$/ }));
      await hand.press(button(page, /^Challenge them/));
      await page.getByText(/ challenges these sign-ups now$/).waitFor();
    },
  },
  {
    name: 'outcomes by CSV',
    maxClicks: 3,
    from: overview,
    async run({ page, hand, read }) {
      const { data } = await read<Entries>('/v1/decisions?limit=1&action=challenge');
      await hand.press(pageNamed(page, 'Outcomes'));
      await hand.type(page.getByRole('textbox', { name: 'CSV' }), `email,outcome\n${data[0].input.email},bad\nx,bad`);
      await page.getByText(/^line 3: x/).waitFor();
      await hand.press(button(page, 'Check'));
      await hand.press(button(page, /^Mark \d+ decisions?$/));
      await page.getByText(/^\d+ decisions? marked$/).waitFor();
    },
  },
  {
    name: 'a suggested rule',
    maxClicks: 5,
    from: overview,
    async run({ page, hand }) {
      await hand.press(pageNamed(page, 'Outcomes'));
      await hand.press(page.getByRole('link', { name: 'Rules for Sign-up' }));
      await hand.press(button(page, 'Add as shadow rule').first());
      await hand.press(button(page, 'Review and save…'));
      await page.getByText(/^If “.+” were live$/).waitFor();
      await hand.press(button(page, 'Save to production'));
      await page.getByText('Saved. The gate now uses').waitFor();
    },
  },
  {
    name: 'a list of important people in a rule',
    maxClicks: 9,
    from: overview,
    async run({ page, hand, mark }) {
      await hand.press(pageNamed(page, 'Your lists'));
      await hand.press(button(page, 'New list').first());
      await hand.type(page.getByRole('textbox', { name: 'Name' }), `VIP ${mark}`);
      await hand.press(button(page, 'Create list'));
      await hand.press(button(page, 'Add entries').first());
      await hand.type(page.getByRole('textbox', { name: 'Entries' }), `${mark}@mailinator.com`);
      await hand.press(button(page, 'Check'));
      await hand.press(button(page, 'Add 1 entry'));
      await hand.press(page.getByRole('main').getByRole('link', { name: 'Sign-up', exact: true }));
      await hand.press(button(page, 'Review and save…'));
      await hand.press(button(page, 'Save to production'));
      await page.getByText('Saved. The gate now uses').waitFor();
    },
  },
  {
    name: 'compare two revisions and restore one',
    maxClicks: 5,
    from: overview,
    async run({ page, hand }) {
      const changes = page.getByRole('region', { name: 'What changed in 7 days' });
      await hand.press(changes.getByRole('link', { name: /^Gate “Sign-up”/ }).first());
      const row = page.getByRole('table', { name: 'Revisions' }).getByRole('row').nth(2);
      const revision = await row.getByRole('cell').first().innerText();
      const from = page.getByLabel('From', { exact: true });
      const options = await from.locator('option').allInnerTexts();
      const earlier = options.find((text) => text.startsWith('Revision 1,')) ?? '';
      await hand.choose(from, earlier);
      await hand.press(button(page, `Restore revision ${revision}`));
      await hand.press(button(page, 'Save to production'));
      await page.getByText('Saved. The gate now uses').waitFor();
    },
  },
  {
    name: 'who changed it',
    maxClicks: 1,
    from: overview,
    async run({ page, hand }) {
      const changes = page.getByRole('region', { name: 'What changed in 7 days' });
      await hand.press(changes.getByRole('link', { name: /^Gate “Sign-up”/ }).first());
      const revisions = page.getByRole('table', { name: 'Revisions' });
      await revisions.getByRole('cell', { name: 'jane@acme.example' }).first().waitFor();
    },
  },
  {
    name: 'export the blocks of a calendar month',
    maxClicks: 4,
    from: overview,
    async run({ page, hand }) {
      await hand.press(page.getByRole('link', { name: 'all of 30 days' }));
      // The data of the demo begins 30 days ago.
      await hand.choose(page.getByLabel('Time'), new Date().getDate() < 25 ? 'last month' : 'this month');
      await page.waitForURL(/range=(last|this)-month/);
      await page.getByRole('table').getByText('block').first().waitFor();
      const saved = page.waitForEvent('download');
      await hand.press(button(page, 'CSV'));
      assert.match((await saved).suggestedFilename(), /_\d{4}-\d\d-01_\d{4}-\d\d-\d\d\.csv$/);
    },
  },
  {
    name: 'a webhook and its test',
    maxClicks: 5,
    from: overview,
    async run({ page, hand, mark, read }) {
      // What receives the webhooks of the demo.
      const { data } = await read<{ data: { url: string }[] }>('/v1/webhooks');
      const receiver = data.find(({ url }) => url.startsWith('http:'))?.url ?? '';
      await hand.press(pageNamed(page, 'Webhooks'));
      await hand.press(button(page, 'New webhook').first());
      await hand.type(page.getByRole('textbox', { name: 'Address' }), `${receiver}/${mark}`);
      await hand.press(button(page, 'Create webhook'));
      await hand.press(button(page, 'I have saved it'));
      await hand.press(button(page, 'Send test'));
      await page.getByRole('table').getByText('delivered').first().waitFor();
    },
  },
  {
    name: 'rotate a key',
    maxClicks: 6,
    from: overview,
    async run({ page, hand, mark }) {
      await hand.press(pageNamed(page, 'Keys'));
      await hand.press(button(page, 'New key').first());
      await hand.type(page.getByRole('textbox', { name: 'Name' }), mark);
      await hand.press(button(page, 'Create key'));
      await hand.press(button(page, 'I have saved it'));
      // The key that the demo printed stays: other tests use it.
      await hand.press(button(page, `Revoke ${mark}`));
      await hand.press(button(page, 'Revoke in production'));
      await page.getByText(`${mark} no longer works`).waitFor();
    },
  },
  {
    name: 'invite a colleague',
    maxClicks: 3,
    from: overview,
    async run({ page, hand, mark }) {
      await hand.find('invite', /^Users/);
      await hand.type(page.getByRole('textbox', { name: 'Add a user' }), `${mark}@acme.example`);
      await hand.press(button(page, 'Add'));
      await page.getByRole('textbox', { name: 'the link' }).waitFor();
    },
  },
  {
    name: 'find and try a call in the reference',
    maxClicks: 4,
    from: overview,
    async run({ page, hand, key }) {
      await hand.find('gates newest', /^The gates of the environment/);
      await page.waitForURL(/\/docs#/);
      const call = page.locator('#listGates form.try');
      await hand.press(call.locator('summary'));
      await hand.press(call.getByRole('button'));
      await hand.type(page.getByLabel('Key', { exact: true }), key);
      await page.keyboard.press('Enter');
      await call.getByText(/^200 OK/).waitFor();
    },
  },
  {
    name: 'block a domain everywhere',
    maxClicks: 2,
    from: overview,
    async run({ page, hand, mark }) {
      const domain = `${mark}.blorpbox.example`;
      await hand.find(domain, /^Block /);
      await page.getByText(`${domain} is on the blocklist of production`).waitFor();
    },
  },
  {
    name: 'call it from my language',
    maxClicks: 2,
    from: overview,
    async run({ page, hand }) {
      await hand.find('python sign-up', /^Call Sign-up from Python/);
      await page.getByRole('textbox', { name: 'the Python code' }).waitFor();
    },
  },
  {
    name: 'is anything wrong right now',
    maxClicks: 0,
    from: overview,
    async run({ page }) {
      await page.getByText(/^[\d,]+ of [\d,]+ decisions blocked in 7 days/).waitFor();
      await page.getByText(/^Wave \d+ d ago/).waitFor();
    },
  },
  {
    name: 'who let this domain in before it was known',
    maxClicks: 2,
    from: overview,
    async run({ page, hand }) {
      await hand.find('blorpbox.example', /^Who let blorpbox\.example in/);
      await page
        .getByRole('link', { name: /@blorpbox\.example$/ })
        .first()
        .waitFor();
      await page.getByRole('cell', { name: 'Sign-up', exact: true }).first().waitFor();
    },
  },
];
