import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { temporaryDirectory } from '../../test/engines.ts';
import { injectRaw } from '../../test/inject.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';

const page = '<!doctype html><title>Signalpost</title>';
const notFound = { error: 'not_found', message: 'Not found' };
const script = 'console.log("signalpost");'.repeat(20);

function buildPages(): string {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'theme.js'), '"use strict";');
  writeFileSync(join(folder, 'stamp'), 'not for the web');
  for (const [ending, content] of [
    ['', script],
    ['.gz', gzipSync(script)],
    ['.br', brotliCompressSync(script)],
  ] as const)
    writeFileSync(join(folder, 'assets', `index-B3xk_9Qz.js${ending}`), content);
  return folder;
}

describe('the pages of the console, built', () => {
  let started: StartedApp;
  before(async () => {
    started = await startApp({}, { consoleFolder: buildPages() });
  });
  after(() => started.close());
  const get = (path: string, headers: Record<string, string> = {}) => started.request('GET', path, { headers });

  it('the built pages of the console are the target of /, also behind a proxy with a path prefix [D261]', async () => {
    const { status, headers } = await get('/');
    assert.deepEqual([status, headers.location], [302, 'console']);
  });

  for (const path of ['/console', '/console/', '/console/production/gates?x=1', '/console/sign-in', '/console/stamp']) {
    it(`the built pages of the console ${path} is the page, which is revalidated each time`, async () => {
      const { status, text, headers } = await get(path);
      assert.deepEqual([status, text], [200, page]);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-cache');
      const again = await get(path, { 'if-none-match': headers.etag ?? '' });
      assert.deepEqual([again.status, again.text], [304, '']);
    });
  }

  it('a file with a hash in its name is cached for ever, any other is revalidated', async () => {
    const { headers, text } = await get('/console/assets/index-B3xk_9Qz.js');
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(text, script);
    assert.equal((await get('/console/theme.js')).headers['cache-control'], 'no-cache');
  });

  it('the built pages of the console are compressed as the browser accepts, Brotli first', async () => {
    const cases = {
      'gzip, deflate, br': 'br',
      gzip: 'gzip',
      'br;q=0, gzip': 'gzip',
      'gzip;q=0.0': undefined,
      '': undefined,
    };
    for (const [accepted, expected] of Object.entries(cases)) {
      const { headers } = await get('/console/assets/index-B3xk_9Qz.js', { 'accept-encoding': accepted });
      assert.equal(headers['content-encoding'], expected, accepted);
      assert.equal(headers.vary, 'accept-encoding');
    }
    const answer = await injectRaw(started.app.server, {
      url: '/console/assets/index-B3xk_9Qz.js',
      headers: { 'accept-encoding': 'br' },
    });
    assert.equal(brotliDecompressSync(answer.rawPayload).toString(), script);
  });

  it('the built pages of the console, and their files, have the security headers', async () => {
    for (const path of ['/console', '/console/assets/index-B3xk_9Qz.js']) {
      const { headers } = await get(path);
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      );
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
  });

  it('the built pages of the console never serve files outside their folder', async () => {
    for (const path of [
      '../package.json',
      '..%2fpackage.json',
      '%2e%2e/package.json',
      '%2fetc%2fpasswd',
      'assets/%00',
    ]) {
      const { text } = await get(`/console/${path}`);
      assert.ok(text === page || text.includes('Not found'), `${path}: ${text.slice(0, 80)}`);
    }
  });

  it('the built pages of the console leave /console/api to the endpoints: an unknown path there is 404 in their shape, without CORS', async () => {
    for (const path of ['/console/api', '/console/api/', '/console/api/nothing/here', '/console/%61pi/nothing']) {
      const { status, json, headers } = await get(path);
      assert.equal(status, 404, path);
      assert.deepEqual(json, notFound);
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
  });

  it('the built pages of the console answer 404 for a file of another build, not the page', async () => {
    for (const path of [
      '/console/assets/index-OtherOne.js',
      '/console/assets/',
      '/console/assets',
      '/console/%61ssets/x.css',
    ])
      assert.deepEqual([(await get(path)).status, (await get(path)).json], [404, notFound], path);
  });

  it('the built pages of the console reject other methods', async () => {
    const { status, headers } = await started.request('POST', '/console');
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD']);
  });
});

describe('the pages of the console, not built', () => {
  it('the pages of the console, while not built, name the command to run, and are served without a restart once built', async () => {
    const folder = temporaryDirectory();
    const started = await startApp({}, { consoleFolder: folder });
    try {
      const { status, text } = await started.request('GET', '/console/production/gates');
      assert.equal(status, 503);
      assert.match(text, /node scripts\/setup\.mjs/);
      writeFileSync(join(folder, 'index.html'), page);
      assert.equal((await started.request('GET', '/console')).text, page);
    } finally {
      await started.close();
    }
  });
});
