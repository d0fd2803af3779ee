import assert from 'node:assert/strict';
import type { ElementHandle, Locator, Page } from 'playwright-core';

/** How a user operates a page. */
export interface Hand {
  press(target: Locator): Promise<void>;
  /** Chooses an option of a select by its text. */
  choose(target: Locator, option: string): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** Opens the palette, and takes what it offers for a text. */
  find(text: string, option: RegExp): Promise<void>;
}

/** The mouse: a press is one click, a choice from a select two. Typing and pasting cost nothing. */
export function mouse(page: Page): Hand & { readonly clicks: () => number } {
  let clicks = 0;
  const press = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  return {
    clicks: () => clicks,
    press,
    async choose(target, option) {
      clicks += 2;
      await target.selectOption({ label: option });
    },
    type: (target, text) => target.fill(text),
    async find(text, option) {
      await press(page.getByRole('button', { name: /^Search/ }));
      await page.getByRole('combobox', { name: /Page, gate or action/ }).fill(text);
      await press(page.getByRole('option', { name: option }).first());
    },
  };
}

/** Further than any page needs. */
const maxSteps = 300;

/** The keyboard alone: Tab until the target has the focus, then Enter or Space. */
export function keyboard(page: Page): Hand {
  /** Null for an element that the page has replaced. */
  const hasFocus = (element: ElementHandle): Promise<boolean | null> =>
    element.evaluate((one) => (one.isConnected ? one.matches(':focus') : null));
  const reach = async (target: Locator) => {
    await target.waitFor();
    // Finding an element by its role takes longer than a press of Tab.
    let element = await target.elementHandle();
    for (let step = 0; element !== null && step < maxSteps; step += 1) {
      const isReached = await hasFocus(element);
      if (isReached) return;
      if (isReached === null) element = await target.elementHandle();
      else await page.keyboard.press('Tab');
    }
    assert.fail(`${target} cannot be reached by Tab`);
  };
  return {
    async press(target) {
      await reach(target);
      await page.keyboard.press('Enter');
    },
    async choose(target, option) {
      await reach(target);
      // A closed select takes the option that begins with what is typed.
      await page.keyboard.type(option);
      const chosen = await target.evaluate(
        (one) => (one as unknown as { selectedOptions: ArrayLike<{ label: string }> }).selectedOptions[0]?.label,
      );
      assert.equal(chosen, option);
    },
    async type(target, text) {
      await reach(target);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(text);
    },
    async find(text, option) {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: /Page, gate or action/ }).waitFor();
      await page.keyboard.insertText(text);
      const wanted = page.getByRole('option', { name: option }).first();
      await wanted.waitFor();
      for (let step = 0; step < maxSteps; step += 1) {
        if ((await wanted.getAttribute('data-highlighted')) !== null) break;
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
    },
  };
}
