import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { temporaryDirectory } from '../engines.ts';
import { inWatchedPage, launchBrowser, withoutBrowser } from './watched-page.ts';

const icon = '<link rel="icon" href="data:,">';
const policy = "default-src 'none'; script-src 'self'; img-src 'self' data:";

describe('a flow in a watched page', { skip: withoutBrowser }, () => {
  let server: Server;
  let browser: Browser;
  let origin = '';
  const pictures = temporaryDirectory();
  /** What stands at each path: the page, and the policy that it is sent with. */
  let pages: Readonly<Record<string, readonly [body: string, policy?: string]>> = {};
  before(async () => {
    browser = await launchBrowser();
    server = createServer((request, response) => {
      const [body, sent] = pages[request.url ?? ''] ?? ['nothing'];
      const type = request.url?.endsWith('.js') ? 'text/javascript' : 'text/html';
      response.writeHead(pages[request.url ?? ''] ? 200 : 404, {
        'content-type': type,
        ...(sent === undefined ? {} : { 'content-security-policy': sent }),
      });
      response.end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
    pages = {
      '/well': [`${icon}<p>well`, policy],
      '/inline': [`${icon}<script>document.title = 'inline'</script>`, policy],
      '/image': [`${icon}<img src="http://localhost:${port}/well">`, policy],
      '/outside': [`${icon}<script src="http://localhost:${port}/fine.js"></script>`],
      '/fine.js': [''],
      '/says.js': ['console.error("said in the console")'],
      '/says': [`${icon}<script src="/says.js"></script>`, policy],
      '/throws.js': ['throw new Error("thrown in the page")'],
      '/throws': [`${icon}<script src="/throws.js"></script>`, policy],
      '/missing': [`${icon}<script src="/absent.js"></script>`, policy],
    };
  });
  after(async () => {
    await browser.close();
    server.close();
    rmSync(pictures, { recursive: true });
  });
  const open = (path: string, expected?: RegExp) =>
    inWatchedPage(browser, { baseURL: origin, expected, pictures }, async (page) => {
      await page.goto(path, { waitUntil: 'networkidle' });
    });

  it('a flow on a correct page passes', () => open('/well'));

  const wrong = [
    ['runs a script against its policy', '/inline', /Content Security Policy/],
    ['shows an image against its policy', '/image', /Content Security Policy/],
    ['fetches from another origin', '/outside', /localhost:\d+\/fine\.js/],
    ['writes an error into the console', '/says', /said in the console/],
    ['throws', '/throws', /thrown in the page/],
    ['asks for what there is not', '/missing', /404/],
  ] as const;
  for (const [does, path, told] of wrong) {
    it(`a flow on a page that ${does} fails, and reports it`, () => assert.rejects(open(path), told));
  }

  it('a flow that fails saves a screenshot, and its error names the file', async () => {
    const before = readdirSync(pictures).length;
    await assert.rejects(open('/says'), /\(picture: .*\d\.png\)/);
    assert.equal(readdirSync(pictures).length, before + 1);
  });

  it('a flow passes with an expected message, and fails with another one', async () => {
    await open('/missing', /404/);
    await assert.rejects(open('/missing', /409/), /404/);
  });
});
