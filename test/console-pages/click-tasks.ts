import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** A task of a user, and the most clicks that it may take. Typing and pasting count nothing. */
export interface ClickTask {
  readonly question: string;
  readonly most: number;
  /** Where the question comes up, below `/console`; where the last task ended by default. */
  readonly from?: string;
  readonly run: (page: Page, click: (target: Locator) => Promise<void>) => Promise<void>;
}

const overview = '/production/overview';

/** Opens the palette by its button, and chooses what it offers for a text. */
const search = async (page: Page, click: (target: Locator) => Promise<void>, text: string, name: RegExp) => {
  await click(page.getByRole('button', { name: /^Search/ }));
  await page.getByRole('combobox', { name: /Page, gate or action/ }).fill(text);
  await click(page.getByRole('option', { name }).first());
};

/** The tasks on the data of the demo. */
export const clickTasks: readonly ClickTask[] = [
  {
    question: 'why was she blocked',
    most: 1,
    from: overview,
    async run(page, click) {
      await click(page.getByRole('region', { name: 'Latest blocks' }).getByRole('listitem').first().getByRole('link'));
      await page.getByText(/^Blocked by “/).waitFor();
    },
  },
  {
    question: 'let her in and see the effect',
    most: 3,
    async run(page, click) {
      await click(page.getByRole('button', { name: 'Let them in…' }));
      await page.getByText(/last 30 days/).waitFor();
      await click(page.getByRole('button', { name: 'Allow this address' }));
      await page.getByText(/ is on the list “Customers”$/).waitFor();
    },
  },
  {
    question: 'the newest suspicious sign-ups',
    most: 1,
    from: overview,
    async run(page, click) {
      await click(page.getByRole('region', { name: 'Decisions' }).getByRole('link', { name: /^challenge/ }));
      await page.getByRole('table').getByText('challenge').first().waitFor();
    },
  },
  {
    question: 'block a domain everywhere',
    most: 2,
    from: overview,
    async run(page, click) {
      await search(page, click, 'mail.blorpbox.example', /^Block /);
      await page.getByText('mail.blorpbox.example is on the blocklist of production').waitFor();
    },
  },
  {
    question: 'a first gate from scratch',
    most: 4,
    from: '/development/overview',
    async run(page, click) {
      await click(page.getByRole('link', { name: 'New gate' }));
      await click(page.getByRole('button', { name: 'Create in development' }));
      await page.getByRole('list', { name: 'Rules' }).waitFor();
    },
  },
  {
    question: 'call it from my language',
    most: 2,
    from: overview,
    async run(page, click) {
      await search(page, click, 'python sign-up', /^Call Sign-up from Python/);
      await page.getByRole('textbox', { name: 'the Python code' }).waitFor();
    },
  },
  {
    question: 'what changed last week',
    most: 1,
    from: overview,
    async run(page, click) {
      const changes = page.getByRole('region', { name: 'What changed in 7 days' });
      await click(changes.getByRole('link', { name: /^Gate “Sign-up”: rule/ }).first());
      await page.getByRole('table', { name: 'Revisions' }).waitFor();
    },
  },
  {
    question: 'is anything wrong right now',
    most: 0,
    from: overview,
    async run(page) {
      await page.getByText(/^[\d,]+ of [\d,]+ decisions blocked in 7 days/).waitFor();
      await page.getByText(/^Wave \d+ d ago/).waitFor();
    },
  },
  {
    question: 'export last month’s blocks',
    most: 2,
    from: overview,
    async run(page, click) {
      const saved = page.waitForEvent('download');
      await click(page.getByRole('link', { name: 'all of 30 days' }));
      await page.getByRole('table').getByText('block').first().waitFor();
      await click(page.getByRole('button', { name: 'CSV' }));
      assert.match((await saved).suggestedFilename(), /\.csv$/);
    },
  },
  {
    question: 'who let this domain in before it was known',
    most: 2,
    from: overview,
    async run(page, click) {
      await search(page, click, 'blorpbox.example', /^Who let blorpbox\.example in/);
      await page
        .getByRole('link', { name: /@blorpbox\.example$/ })
        .first()
        .waitFor();
      await page.getByRole('cell', { name: 'Sign-up', exact: true }).first().waitFor();
    },
  },
];

/** Does each task once; the clicks that each took. */
export async function countClicks(page: Page): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { question, from, run } of clickTasks) {
    if (from !== undefined) await page.goto(`/console${from}`, { waitUntil: 'networkidle' });
    let clicks = 0;
    await run(page, async (target) => {
      clicks += 1;
      await target.click();
    });
    counts[question] = clicks;
  }
  return counts;
}
