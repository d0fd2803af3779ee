import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser, Page, Request } from 'playwright-core';
import { buildConsole } from '../../scripts/build-console.ts';
import { root } from '../../scripts/test-files.ts';
import { launchBrowser, withoutBrowser } from '../console-pages/watched-page.ts';
import { temporaryDirectory } from '../engines.ts';
import { runJson, type Serving, serveSignalpost } from '../signalpost-process.ts';
import { type FormPage, type FormPageOptions, serveForm } from './form-page.ts';

it('the guide of hints names the entries of a policy, the moment an address is sent, and what origins do not protect [D615 D620]', () => {
  const guide = readFileSync(join(root, 'docs', 'forms.md'), 'utf8');
  for (const entry of [/script-src https:/, /connect-src https:/]) assert.match(guide, entry);
  assert.match(guide, /before the form is submitted/);
  assert.match(guide, /no security boundary/);
});

const email = 'input[type=email]';
const hint = '.signalpost-hint';

describe('form.js in a page of another origin', { skip: withoutBrowser }, () => {
  const dataDir = temporaryDirectory();
  const env = { DATA_DIR: dataDir };
  let service: Serving;
  let browser: Browser;
  before(async () => {
    await buildConsole();
    service = await serveSignalpost(env);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.stop();
    rmSync(dataDir, { recursive: true });
  });

  const createKey = async (origins: readonly string[], ...more: string[]) => {
    const owner = ['--account', service.account, '--environment', 'production'];
    const words = origins.flatMap((origin) => ['--origin', origin]);
    const { key } = await runJson<{ key: string }>(
      ['keys', 'create', ...owner, '--publishable', ...words, ...more],
      env,
    );
    return key;
  };

  /** A page whose key is made for its origin, or for another one. */
  async function openForm(
    options: Partial<FormPageOptions> & { attributes?: string; keyOptions?: string[]; origins?: string[] } = {},
  ) {
    const { attributes = '', keyOptions = [], origins } = options;
    let head = '';
    const form = await serveForm({ service: service.url, ...options, head: () => head });
    const key = await createKey(origins ?? [form.origin], ...keyOptions);
    head = `<script src="${service.url}/form.js" data-key="${key}" ${attributes} defer></script>`;
    const context = await browser.newContext();
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted/i.test(message.text())) problems.push(message.text());
    });
    await page.goto(form.origin);
    return {
      form,
      page,
      async [Symbol.asyncDispose]() {
        await context.close();
        await form[Symbol.asyncDispose]();
        assert.deepEqual(problems, []);
      },
    };
  }

  const type = async (page: Page, address: string) => {
    await page.fill(email, address);
    await page.locator(email).blur();
  };
  const submit = async (page: Page, form: FormPage) => {
    await page.click('text=Sign up');
    await page.waitForURL('**/sign-up');
    return new URLSearchParams(form.submitted.at(-1)).get('email');
  };
  const isHint = (request: Request) => request.url().endsWith('/v1/hints') && request.method() === 'POST';

  it('form.js shows a suggestion on blur, and a click accepts it, under a strict policy [D617 D618 D620]', async () => {
    await using opened = await openForm();
    const { page, form } = opened;
    await page.focus(email);
    assert.equal(await page.locator(hint).getAttribute('aria-live'), 'polite');
    await type(page, 'jane@gmial.com');
    await page.click(`${hint} button`);
    assert.equal(await page.inputValue(email), 'jane@gmail.com');
    assert.equal(await page.locator(hint).textContent(), 'The address is now jane@gmail.com.');
    assert.equal(await submit(page, form), 'jane@gmail.com');
  });

  it('form.js sends the address and nothing else that identifies a visitor, after a preflight [D621]', async () => {
    await using opened = await openForm();
    const { page } = opened;
    const [request] = await Promise.all([page.waitForRequest(isHint), type(page, 'jane@gmial.com')]);
    assert.deepEqual(request.postDataJSON(), { email: 'jane@gmial.com' });
    const { cookie, referer, authorization } = await request.allHeaders();
    assert.deepEqual([cookie, referer], [undefined, undefined]);
    assert.match(authorization ?? '', /^Bearer sp_pub_/);
    assert.equal((await request.response())?.status(), 200);
  });

  it('form.js lets a keyboard accept the suggestion, announces it, and notifies scripts of the page [D618]', async () => {
    await using opened = await openForm();
    const { page } = opened;
    await page.evaluate(`
      globalThis.received = [];
      for (const name of ['input', 'change']) document.addEventListener(name, () => received.push(name));
    `);
    await page.focus(email);
    await page.keyboard.type('jane@gmial.com');
    await page.evaluate('received.length = 0');
    await page.keyboard.press('Tab');
    await page.waitForSelector(`${hint} button`);
    assert.equal(await page.locator(hint).textContent(), 'Did you mean jane@gmail.com? Use this address');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.inputValue(email), 'jane@gmail.com');
    assert.equal(await page.evaluate(`document.activeElement === document.querySelector('${email}')`), true);
    const received = await page.evaluate<string[]>('received');
    assert.ok(received.includes('input') && received.includes('change'), received.join());
  });

  it('form.js removes the suggestion when the address is changed, and asks once for one address [D617]', async () => {
    await using opened = await openForm();
    const { page } = opened;
    let asked = 0;
    page.on('request', (request) => {
      if (isHint(request)) asked += 1;
    });
    await type(page, 'jane@gmial.com');
    await page.waitForSelector(`${hint} button`);
    await page.focus(email);
    await page.locator(email).blur();
    await page.fill(email, 'jane@gmial.co');
    assert.equal(await page.locator(hint).textContent(), '');
    await page.fill(email, 'no address');
    await page.locator(email).blur();
    assert.equal(asked, 1);
  });

  it('form.js leaves fields alone that are not email fields of a marked form [D617]', async () => {
    const other = '<form><input type="email"></form><form data-signalpost><input name="x"></form>';
    await using opened = await openForm({ form: other });
    const { page } = opened;
    page.on('request', (request) => assert.ok(!isHint(request)));
    for (const field of await page.locator('input').all()) {
      await field.fill('jane@gmial.com');
      await field.blur();
    }
    assert.equal(await page.locator(hint).count(), 0);
  });

  it('form.js says that an address is temporary when the key shows it', async () => {
    await using opened = await openForm({ keyOptions: ['--disposable'] });
    const { page } = opened;
    await type(page, 'joe@mailinator.com');
    await page.locator(hint, { hasText: 'temporary' }).waitFor();
    assert.equal(await page.locator(`${hint} button`).count(), 0);
  });

  it('form.js keeps addresses left to right in a right-to-left page, with the words of the page [D618]', async () => {
    const attributes = 'data-suggestion="האם התכוונת ל-{email}?" data-accept="להשתמש בכתובת"';
    await using opened = await openForm({ html: '<html lang="he" dir="rtl">', attributes });
    const { page } = opened;
    await type(page, 'jane@gmial.com');
    await page.waitForSelector(`${hint} button`);
    assert.equal(await page.locator(hint).textContent(), 'האם התכוונת ל-jane@gmail.com? להשתמש בכתובת');
    const directions = await page.evaluate(
      `['${hint}', '${hint} bdi', '${hint} button'].map((one) => getComputedStyle(document.querySelector(one)).direction)`,
    );
    assert.deepEqual(directions, ['rtl', 'ltr', 'rtl']);
    const [address, button] = await Promise.all(
      [`${hint} bdi`, `${hint} button`].map((one) => page.locator(one).boundingBox()),
    );
    assert.ok((button?.x ?? 0) < (address?.x ?? 0), 'the button follows the address, on its left');
  });

  it('form.js does not delay a submission while a hint is awaited [D619]', async () => {
    await using opened = await openForm();
    const { page, form } = opened;
    // Never answered.
    await page.route('**/v1/hints', () => {});
    await type(page, 'jane@gmial.com');
    assert.equal(await submit(page, form), 'jane@gmial.com');
  });

  it('form.js shows no suggestion between the press and the release of a button, which would move away [D619]', async () => {
    await using opened = await openForm();
    const { page, form } = opened;
    await page.focus(email);
    await page.keyboard.type('jane@gmial.com');
    const button = (await page.locator('text=Sign up').boundingBox()) ?? assert.fail('no button');
    await page.mouse.move(button.x + 5, button.y + 5);
    const answered = page.waitForResponse((response) => isHint(response.request()));
    await page.mouse.down();
    await (await answered).finished();
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
    assert.equal(await page.locator(hint).textContent(), '');
    await page.mouse.up();
    await page.waitForURL('**/sign-up');
    assert.equal(form.submitted.length, 1);
  });

  it('form.js stays silent in a page of an origin that its key does not list, and the form works [D619]', async () => {
    await using opened = await openForm({ origins: ['https://app.example.com'] });
    const { page, form } = opened;
    const refused = page.waitForRequest(isHint);
    await type(page, 'jane@gmial.com');
    await refused;
    assert.equal(await submit(page, form), 'jane@gmial.com');
  });

  it('form.js stays silent above the limits and while the service is down, and the form works [D619]', async () => {
    const limitedDir = temporaryDirectory();
    const limitedEnv = { DATA_DIR: limitedDir, HINTS_PER_MINUTE: '1', TRUST_PROXY: 'loopback' };
    const usual = service;
    service = await serveSignalpost(limitedEnv);
    Object.assign(env, { DATA_DIR: limitedDir });
    try {
      await using opened = await openForm();
      const { page, form } = opened;
      await type(page, 'jane@gmial.com');
      await page.waitForSelector(`${hint} button`);
      const [limited] = await Promise.all([
        page.waitForResponse((response) => isHint(response.request())),
        type(page, 'jane@hotmial.com'),
      ]);
      assert.equal(limited.status(), 429);
      assert.equal(await page.locator(hint).textContent(), '');
      await service.stop();
      const failed = page.waitForEvent('requestfailed');
      await type(page, 'jane@yaho.com');
      await failed;
      assert.equal(await page.locator(hint).textContent(), '');
      assert.equal(await submit(page, form), 'jane@yaho.com');
      await page.goto(form.origin);
      await page.fill(email, 'jane@gmial.com');
      assert.equal(await submit(page, form), 'jane@gmial.com');
    } finally {
      service = usual;
      Object.assign(env, { DATA_DIR: dataDir });
      rmSync(limitedDir, { recursive: true });
    }
  });

  it('form.js is at most 4 KB compressed, cacheable, and loads into isolated pages [D616]', async () => {
    const response = await fetch(`${service.url}/form.js`);
    const script = await response.text();
    assert.ok(gzipSync(script).length <= 4_096, `${gzipSync(script).length} bytes`);
    assert.doesNotMatch(script, /\bimport\b|\brequire\(/);
    assert.match(response.headers.get('content-type') ?? '', /^text\/javascript/);
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.match(response.headers.get('cache-control') ?? '', /max-age/);
  });
});
