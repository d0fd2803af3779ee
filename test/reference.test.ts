import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildConsole } from '../scripts/build-console.ts';
import { requireBrowser } from '../scripts/programs.ts';
import { renderGuide } from '../scripts/render-guides.ts';
import { languages } from '../snippets/languages.ts';
import { builtConsole } from '../src/console/static-files.ts';
import { guideGroups } from '../src/reference/guides.ts';
import type { OpenApi } from '../src/reference/open-api.ts';
import { callsBySection } from '../src/reference/open-api.ts';
import { axeViolations } from './axe.ts';
import { launchBrowser } from './console-pages/watched-page.ts';
import { temporaryDirectory } from './engines.ts';
import { missingService } from './services.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';
import { type StartedApp, startApp } from './start-app.ts';

describe('the reference at /docs', () => {
  let started: StartedApp;
  let text: string;
  let headers: Readonly<Record<string, string | undefined>>;
  before(async () => {
    await buildConsole();
    started = await startApp({}, { consoleFolder: builtConsole });
    ({ text, headers } = await started.request('GET', '/docs'));
  });
  after(() => started.close());
  const calls = () => [...callsBySection(started.app.openapi as OpenApi).values()].flat();

  it('the reference at /docs has a section for every operation, with an example of the request and of the response [D260]', () => {
    for (const { operation, method } of calls()) {
      const section =
        text.split(`<section class="operation" id="${operation.operationId}"`)[1]?.split('</section>')[0] ?? '';
      assert.match(section, /curl /, operation.operationId);
      assert.doesNotMatch(
        section.split('<form')[0] ?? '',
        /127\.0\.0\.1:8080[^\n]*\{/,
        `${operation.operationId} has no value for its path`,
      );
      if (operation.responses['204'] === undefined) assert.match(section, /: the response/, operation.operationId);
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

  it('the reference at /docs loads only files of the console, which exist, and its policy allows no others', async () => {
    assert.doesNotMatch(text, /(src|href|action)="(https?:)?\/\//);
    assert.doesNotMatch(text, /<style|<script(?![^>]* src=)|style=/);
    const policy = headers['content-security-policy'] ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'$/);
    const files = [...text.matchAll(/(?:src|href)="\.\/(console\/[^"]+)"/g)].map(([, file = '']) => file);
    assert.ok(files.length >= 6, String(files));
    for (const file of files) assert.equal((await started.request('GET', `/${file}`)).status, 200, file);
  });

  it('the reference at /docs is at most 60 KB of compressed HTML', () => {
    const bytes = gzipSync(text).length;
    assert.ok(bytes <= 60 * 1024, `${bytes} bytes`);
  });

  it('the reference at /docs has separate sections for webhooks with their events and for MCP with its tools', () => {
    const webhooks = text.split('id="section-webhooks"')[1]?.split('<h2 class="group"')[0] ?? '';
    for (const part of ['gate.decision', 'traffic.wave.began', 'id="createWebhook"', 'href="docs/webhooks"'])
      assert.ok(webhooks.includes(part), part);
    const mcp = text.split('id="mcp"')[1] ?? '';
    for (const { tool, operationId } of started.app.endpoints)
      if (tool !== undefined) assert.match(mcp, new RegExp(`<code>${tool.name}</code>.*href="#${operationId}"`));
  });

  it('every guide is a page, and its links lead to pages and headings that exist', async () => {
    const names = guideGroups.flatMap((group) => group.names);
    const pages = new Map<string, string>();
    for (const name of names) pages.set(name, (await started.request('GET', `/docs/${name}`)).text);
    for (const [name, page] of pages) {
      const article = page.split('<article class="guide">')[1]?.split('</article>')[0] ?? '';
      assert.match(article, /^<h1>/, name);
      const labels = [...article.matchAll(/aria-label="([^"]+)"/g)].map(([, label]) => label);
      assert.equal(new Set(labels).size, labels.length, `${name}: two regions have the same label`);
      assert.doesNotMatch(article, /<th><\/th>/, name);
      assert.match(page, new RegExp(`href="../docs/${name}" aria-current="page"`));
      for (const [, target = ''] of article.matchAll(/<a href="([^"]+)"/g)) {
        if (target.startsWith('https:')) continue;
        const [file, anchor] = target.split('#');
        const linked = pages.get(file || name);
        assert.ok(linked !== undefined, `${name} links to ${target}`);
        if (anchor) assert.ok(linked.includes(`id="${anchor}"`), `${name} links to ${target}`);
      }
    }
  });

  it('a guide escapes code, drops HTML and images, and links only to guides', () => {
    const { title, html, headings } = renderGuide(
      '# A\n\n## B & `c`\n\n<!-- no -->\n<script>no()</script>\n\n![no](x.png) [d](decisions/1.md) [gates.md](gates.md#x)\n\n```sh\na <b>\n```\n',
    );
    assert.deepEqual([title, headings], ['A', [{ id: 'b--c', text: 'B & c' }]]);
    assert.doesNotMatch(html, /no|<script|<img|decisions/);
    assert.match(html, /<a href="gates#x">Gates: rules that decide<\/a>/);
    assert.match(html, /<code>a &lt;b&gt;<\/code>/);
  });

  it('the search index has every operation with its fields, and the headings of guides', async () => {
    const { json: body } = await started.request<{ title: string; hint: string; href: string; words: string }[]>(
      'GET',
      '/docs/search.json',
    );
    for (const { operation } of calls()) assert.ok(body.some(({ href }) => href === `docs#${operation.operationId}`));
    assert.match(body.find(({ href }) => href === 'docs#lookupEmail')?.words ?? '', /\bdisposable_provider\b/);
    assert.ok(body.some(({ href, hint }) => href === 'docs/gates#how-a-gate-decides' && hint.startsWith('Gates')));
  });

  it('the reference is readable while the console is not built, and has its design once it is', async () => {
    const consoleFolder = temporaryDirectory();
    const unbuilt = await startApp({}, { consoleFolder });
    const plain = await unbuilt.request('GET', '/docs');
    assert.match(plain.text, /id="lookupEmail"/);
    assert.doesNotMatch(plain.text, /stylesheet/);
    assert.match((await unbuilt.request('GET', '/docs/gates')).text, /The guides are not built/);
    cpSync(builtConsole, consoleFolder, { recursive: true });
    assert.match((await unbuilt.request('GET', '/docs')).text, /stylesheet/);
    assert.match((await unbuilt.request('GET', '/docs/gates')).text, /<article/);
    await unbuilt.close();
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
  let browser: Browser;
  before(async () => {
    await buildConsole();
    [service, browser] = await Promise.all([serveSignalpost({ DATA_DIR: dataDir }), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
    rmSync(dataDir, { recursive: true });
  });
  const inBrowser = async <T>(work: (page: Page) => Promise<T>, options: BrowserContextOptions = {}): Promise<T> => {
    const context = await browser.newContext(options);
    try {
      return await work(await context.newPage());
    } finally {
      await context.close();
    }
  };

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

  it('the reference in a browser writes samples in every language with the key and gate of the reader, and remembers the language', async () => {
    const { key, samples, plain, reloaded } = await inBrowser(async (page) => {
      await page.goto(`${service.url}/docs?gate=01mygate#decide`);
      const secret = service.keys.production ?? '';
      await page.fill('#key', secret);
      const written: string[] = [];
      for (const kind of ['[data-call]', '[data-decision]']) {
        const sample = page.locator(`#decide .sample${kind}`);
        for (const { name } of languages) {
          await sample.getByLabel('Language').selectOption(name);
          written.push((await sample.locator('code').textContent()) ?? '');
        }
      }
      const block = await page.locator('.conventions code', { hasText: 'export' }).textContent();
      await page.reload();
      const after = await page.locator('#lookupEmail .sample code').textContent();
      return { key: secret, samples: written, plain: block, reloaded: after ?? '' };
    });
    assert.equal(samples.length, 2 * languages.length);
    for (const sample of samples)
      for (const part of [service.url, '01mygate', key]) assert.ok(sample.includes(part), sample);
    assert.ok(plain?.includes(`export SIGNALPOST_KEY=${key}\n`), plain ?? '');
    assert.match(reloaded, /^import java/);
    assert.ok(!reloaded.includes(key));
  });

  it('the reference in a browser finds calls by field and guides by heading, by keyboard alone', async () => {
    const places = await inBrowser(async (page) => {
      await page.goto(`${service.url}/docs`);
      await page.locator('#search').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('usual_per_hour samples');
      await page.locator('.results [aria-selected=true]').waitFor();
      await page.keyboard.press('Enter');
      const operation = page.url();
      await page.fill('#search', 'how a gate');
      await page.locator('.results a', { hasText: 'How a gate decides' }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(/how-a-gate-decides$/);
      return [operation, page.url()].map((url) => url.replace(service.url, ''));
    });
    assert.deepEqual(places, ['/docs#readWave', '/docs/gates#how-a-gate-decides']);
  });

  it('the reference in a browser sends a switch only when it differs from its default, and copies code', async () => {
    const { urls, copied } = await inBrowser(
      async (page) => {
        const sent: string[] = [];
        page.on('request', (request) => sent.push(request.url().replace(service.url, '')));
        await page.goto(`${service.url}/docs`);
        await page.fill('#key', service.keys.production ?? '');
        const form = page.locator('#lookupDomain form.try');
        await form.locator('summary').click();
        await form.locator('[name=domain]').fill('mailinator.com');
        await form.locator('[name=wait]').fill('');
        await form.locator('button').click();
        await form.locator('.outcome', { hasText: '{' }).waitFor();
        await form.getByRole('switch', { name: 'explain' }).check();
        await form.getByRole('switch', { name: 'include_mx' }).uncheck();
        await form.locator('button').click();
        await form.locator('.outcome', { hasText: 'explain' }).waitFor();
        await page.locator('#lookupDomain .sample').getByRole('button').click();
        const text = await page.evaluate('navigator.clipboard.readText()');
        return { urls: sent.filter((url) => url.startsWith('/domain/')), copied: String(text) };
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
    assert.deepEqual(urls, ['/domain/mailinator.com', '/domain/mailinator.com?include_mx=false&explain=true']);
    assert.match(copied, /^curl /);
  });

  it('the reference has no axe violations, in light and in dark colours', async () => {
    const found = await inBrowser(async (page) => {
      const violations = async () => {
        await page.emulateMedia({ colorScheme: 'light' });
        const inLight = await axeViolations(page, 'all');
        // With reduced motion, colours change without a transition.
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
        return [...inLight, ...(await axeViolations(page, 'contrast'))];
      };
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
      const ofReference = await violations();
      await page.goto(`${service.url}/docs/waves`);
      await page.fill('#search', 'wave');
      await page.locator('.results a').first().waitFor();
      return [...ofReference, ...(await violations())].map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    });
    assert.deepEqual(found, []);
  });

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
