import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { chromium, type Page } from 'playwright-core';
import { requireBrowser } from '../scripts/programs.ts';
import type { OpenApi } from '../src/reference/open-api.ts';
import { callsByTag } from '../src/reference/open-api.ts';
import { axeViolations } from './axe.ts';
import { temporaryDirectory } from './engines.ts';
import { missingService } from './services.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';
import { type StartedApp, startApp } from './start-app.ts';

describe('the reference at /docs', () => {
  let started: StartedApp;
  let text: string;
  let headers: Readonly<Record<string, string | undefined>>;
  before(async () => {
    started = await startApp();
    ({ text, headers } = await started.request('GET', '/docs'));
  });
  after(() => started.close());
  const calls = () => [...callsByTag(started.app.openapi as OpenApi).values()].flat();

  it('the reference at /docs has a section for every operation, with an example of the request and of the response [D260]', () => {
    for (const { operation, method } of calls()) {
      const section =
        text.split(`<section class="operation" id="${operation.operationId}"`)[1]?.split('</section>')[0] ?? '';
      assert.match(section, /curl /, operation.operationId);
      assert.doesNotMatch(
        section.split('<form')[0] ?? '',
        /\$URL[^"]*\{/,
        `${operation.operationId} has no value for its path`,
      );
      if (operation.responses['204'] === undefined) assert.match(section, /: the answer/, operation.operationId);
      if (operation.requestBody !== undefined) assert.match(section, /-d &#39;/, operation.operationId);
      assert.match(section, new RegExp(`data-method="${method}"`));
    }
  });

  it('the reference at /docs shows the body of every error that an operation may return', () => {
    for (const { operation } of calls()) {
      const section = text.split(`id="${operation.operationId}"`)[1]?.split('</section>')[0] ?? '';
      for (const { content } of Object.values(operation.responses))
        for (const code of Object.keys(content?.['application/json'].examples ?? {}))
          assert.ok(section.includes(`<code>${code}</code>`), `${operation.operationId} ${code}`);
    }
  });

  it('the reference at /docs loads nothing: its style and script are inline, and its policy allows only those', () => {
    assert.doesNotMatch(text, /(src|href|action)="(https?:)?\/\//);
    const policy = headers['content-security-policy'] ?? '';
    assert.match(policy, /^default-src 'none'/);
    for (const [name, tag] of Object.entries({ 'style-src': 'style', 'script-src': 'script' })) {
      const inside = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? '';
      const hash = createHash('sha256').update(inside).digest('base64');
      assert.ok(policy.includes(`${name} 'sha256-${hash}';`), name);
    }
  });

  it('the reference at /docs is sent again only when it has changed, and compressed for clients that accept it', async () => {
    const again = await started.request('GET', '/docs', { headers: { 'if-none-match': headers.etag ?? '' } });
    assert.deepEqual([again.status, again.text], [304, '']);
    const encodings = { gzip: 'gzip', 'br, gzip;q=0.5': 'gzip', 'gzip;q=0': undefined, identity: undefined };
    for (const [accepted, expected] of Object.entries(encodings)) {
      const packed = await started.request('GET', '/docs', { headers: { 'accept-encoding': accepted } });
      assert.equal(packed.headers['content-encoding'], expected, accepted);
    }
  });

  it('the reference at /docs rejects other methods', async () => {
    const { status, headers: told } = await started.request('POST', '/docs');
    assert.deepEqual([status, told.allow], [405, 'GET, HEAD']);
  });
});

const withoutChromium = await missingService(async () => requireBrowser());

describe('the reference in a browser', { skip: withoutChromium }, () => {
  const dataDir = temporaryDirectory();
  let service: Serving;
  before(async () => {
    service = await serveSignalpost({ DATA_DIR: dataDir });
  });
  after(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true });
  });

  it("the reference in a browser sends a request with the reader's key, stores the key nowhere and violates no policy", async () => {
    const problems: string[] = [];
    const told = await inBrowser(async (page) => {
      page.on('console', (message) => problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('request', (request) => {
        if (!/^data:/.test(request.url()) && !request.url().startsWith(service.url)) problems.push(request.url());
      });
      await page.goto(`${service.url}/docs`);
      await page.fill('#key', service.keys.production ?? '');
      const form = page.locator('#lookupEmail form.try');
      await form.locator('summary').click();
      await form.locator('[name=email]').fill('a/b+c@mailinator.com');
      await form.locator('button').click();
      await form.locator('.outcome', { hasText: '{' }).waitFor();
      const kept = await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]');
      return { kept, outcome: (await form.locator('.outcome').textContent()) ?? '' };
    });
    assert.match(told.outcome, /^200 .*\n\n[\s\S]*"email": "a\/b\+c@mailinator.com"/);
    assert.deepEqual(told.kept, [0, 0, '']);
    assert.deepEqual(problems, []);
  });

  for (const look of [
    { name: 'light colours', colorScheme: 'light' },
    { name: 'dark colours', colorScheme: 'dark' },
    { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  ]) {
    it(`the reference has no axe violations, ${look.name}`, async () => {
      const found = await inBrowser(async (page) => {
        await page.goto(`${service.url}/docs`);
        // All sections have the same structure, and checking all of them takes axe a minute.
        await page.locator('section.operation').evaluateAll((all) => {
          for (const one of all) if (!['lookupEmail', 'createGate', 'listBlocklist'].includes(one.id)) one.remove();
        });
        // Collapsed sections are part of the page too.
        await page.locator('details').evaluateAll((all) => {
          for (const one of all) one.setAttribute('open', '');
        });
        assert.ok(await page.locator('#createGate table').last().isVisible());
        return (await axeViolations(page)).map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      }, look);
      assert.deepEqual(found, []);
    });
  }

  it('the reference in a browser fits a phone, and is readable without script', async () => {
    const wide = await inBrowser(
      async (page) => {
        await page.goto(`${service.url}/docs`);
        assert.ok(await page.locator('#createGate pre').first().isVisible());
        assert.ok(!(await page.locator('#createGate form').isVisible()));
        return page.locator('html').evaluate((root) => (root as unknown as { scrollWidth: number }).scrollWidth);
      },
      { viewport: { width: 390, height: 844 }, javaScriptEnabled: false },
    );
    assert.ok(wide <= 390, `${wide} pixels wide`);
  });
});

const chromiumParameters =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

async function inBrowser<T>(work: (page: Page) => Promise<T>, options = {}): Promise<T> {
  const browser = await chromium.launch({
    executablePath: requireBrowser(),
    args: chromiumParameters.split(' '),
  });
  try {
    return await work(await (await browser.newContext(options)).newPage());
  } finally {
    await browser.close();
  }
}
