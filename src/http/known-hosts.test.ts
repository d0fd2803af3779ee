import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openBrowser, signedIn } from '../../test/session-api/browser.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';
import { errorTable } from '../errors.ts';

const { message } = errorTable.unknown_host;

describe('the host of a request', () => {
  let started: StartedApp;
  before(async () => {
    started = await startApp({ ALLOWED_HOSTS: 'Signals.lan,inner', TRUST_PROXY: '192.0.2.1' });
  });
  after(() => started.close());
  const get = (path: string, headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    started.request('GET', path, { headers, remoteAddress });
  const pages = ['/', '/console', '/console/sign-in', '/console/theme.js', '/docs', '/metrics', '/diagnostics'];

  const known = [
    'localhost:8080',
    'LOCALHOST.',
    '127.0.0.1',
    '127.9.9.9:1',
    '[::1]:8080',
    'signals.lan:8443',
    '10.0.0.5:8080',
  ];
  for (const host of [...known, '[2001:db8::5]'])
    it(`the host ${host} gets pages and metrics`, async () => {
      for (const path of pages) assert.notEqual((await get(path, { host })).status, 421, path);
      assert.equal((await openBrowser(started).call('GET', '/sign-in', { headers: { host } })).status, 200);
    });

  const unknown = [
    'evil.example',
    'localhost.evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    'a.signals.lan',
    '2130706433',
    'a b',
  ];
  for (const host of unknown)
    it(`the host "${host}" gets no page, metric or sign-in, and reads how to add its name`, async () => {
      for (const path of pages) {
        const { status, text, headers } = await get(path, { host });
        assert.deepEqual(
          [status, text, headers['content-type']],
          [421, `${message}\n`, 'text/plain; charset=utf-8'],
          path,
        );
      }
      for (const method of ['GET', 'POST'] as const) {
        const { status, json } = await openBrowser(started).call(method, '/sign-in', { headers: { host } });
        assert.deepEqual([status, json], [421, { error: 'unknown_host', message }]);
      }
    });

  it('every host gets lookups, health and the OpenAPI document', async () => {
    const headers = { host: 'api.usercheck.com' };
    for (const path of ['/healthz', '/readyz', '/openapi.json']) assert.equal((await get(path, headers)).status, 200);
    const lookup = await started.request('GET', '/domain/example.com', { key: started.keys.production, headers });
    assert.equal(lookup.status, 200);
  });

  it('a trusted proxy names the host, and no other client does', async () => {
    const headers = { host: 'inner', 'x-forwarded-host': 'evil.example' };
    assert.equal((await get('/console', headers, '192.0.2.1')).status, 421);
    assert.notEqual((await get('/console', headers, '192.0.2.2')).status, 421);
  });

  it('sign-in links are never built on a host that is neither configured nor connected to, and then no user is created', async () => {
    const member = await signedIn(started);
    const invite = (email: string, host: string) =>
      member.call<{ link: { url: string } }>('POST', '/users', { body: { email }, headers: { host } });
    const refused = await invite('no-link@example.com', '10.0.0.5:8080');
    assert.deepEqual([refused.status, refused.json], [421, { error: 'unknown_host', message }]);
    const { status, json } = await invite('no-link@example.com', 'signals.lan:8443');
    assert.equal(status, 201);
    assert.match(json.link.url, /^http:\/\/signals\.lan:8443\/console\/sign-in#/);
  });
});

describe('the host of a request to a service with PUBLIC_URL and METRICS_TOKEN', () => {
  it('may be that of PUBLIC_URL for pages and any for metrics with the token; links use PUBLIC_URL', async () => {
    const started = await startApp({ PUBLIC_URL: 'https://Signals.example/base', METRICS_TOKEN: 'a metrics token' });
    try {
      const statusOf = async (path: string, host: string) =>
        (await started.request('GET', path, { headers: { host, authorization: 'Bearer a metrics token' } })).status;
      assert.notEqual(await statusOf('/console', 'signals.example'), 421);
      assert.equal(await statusOf('/console', 'other.example'), 421);
      assert.equal(await statusOf('/metrics', 'prometheus-target:8080'), 200);
      const member = await signedIn(started);
      const body = { email: 'invited@example.com' };
      const { json } = await member.call<{ link: { url: string } }>('POST', '/users', {
        body,
        headers: { host: '10.0.0.5' },
      });
      assert.match(json.link.url, /^https:\/\/Signals\.example\/base\/console\/sign-in#/);
    } finally {
      await started.close();
    }
  });
});
