import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { injectRaw } from '../inject.ts';
import { type StartedApp, startApp } from '../start-app.ts';
import { type Browser, openBrowser, signedIn } from './browser.ts';

const host = 'console.example:8080';

describe('a cross-site request', () => {
  let started: StartedApp;
  let browser: Browser;
  before(async () => {
    started = await startApp({ ALLOWED_HOSTS: 'console.example' });
    browser = await signedIn(started);
  });
  after(() => started.close());
  /** As the browser of a signed-in user sends it, without the headers that our own pages add. */
  const send = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ) =>
    injectRaw(started.app.server, {
      method,
      url: `/console/api${path}`,
      headers: { host, cookie: browser.cookie, ...headers },
      ...(body === undefined ? {} : { payload: body as string }),
    });
  const json = { 'content-type': 'application/json' };
  const rename = '{"name":"Taken over"}';
  const nameNow = async () => (await browser.call<{ account: { name: string } }>('GET', '/me')).json.account.name;

  const refused: Readonly<Record<string, Record<string, string>>> = {
    'from another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    'from another port or a sibling domain': { 'sec-fetch-site': 'same-site', origin: 'http://console.example:9090' },
    'typed or from a bookmark': { 'sec-fetch-site': 'none' },
    'from another site, by a browser without fetch metadata': { origin: 'http://evil.example' },
    'from another port, by a browser without fetch metadata': { origin: 'http://console.example' },
    'over another scheme, by a browser without fetch metadata': { origin: `https://${host}` },
    'from a sandboxed frame': { origin: 'null' },
    'that says nothing of where it comes from': {},
    'with a site that contradicts a good origin': { 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
  };
  for (const [name, headers] of Object.entries(refused)) {
    it(`a cross-site request ${name} changes nothing: 403 from every endpoint that writes`, async () => {
      const before = await nameNow();
      for (const [method, path] of [
        ['PATCH', '/account'],
        ['POST', '/sign-in'],
        ['POST', '/sign-in/link'],
        ['POST', '/sign-out'],
        ['POST', '/users'],
        ['POST', '/production/v1/gates'],
        ['POST', '/production/blocklist'],
        ['DELETE', '/production/blocklist/example.com'],
      ] as const) {
        const { statusCode, json: body } = await send(method, path, { ...json, ...headers }, rename);
        assert.equal(statusCode, 403, `${method} ${path}`);
        if (!path.includes('blocklist')) assert.equal(body().error, 'cross_site');
      }
      assert.equal(await nameNow(), before);
    });
  }

  it('a same-origin request is accepted', async () => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: `http://${host}` }]) {
      const { statusCode } = await send('PATCH', '/account', { ...json, ...headers }, '{"name":"Ours"}');
      assert.equal(statusCode, 200);
      assert.equal(await nameNow(), 'Ours');
    }
  });

  it('a cross-site request cannot be a form: a body of another type is 415, even if it is JSON', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
    ])
      for (const path of ['/sign-in', '/production/blocklist']) {
        const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' };
        assert.equal((await send('POST', path, headers, '{"domain":"a.example"}')).statusCode, 415, `${type} ${path}`);
      }
    const untyped = await send(
      'POST',
      '/production/blocklist',
      { 'sec-fetch-site': 'same-origin' },
      '{"domain":"a.example"}',
    );
    assert.equal(untyped.statusCode, 415, 'no type at all');
  });

  it('a cross-site request cannot read either, so that no image on another page spends credits', async () => {
    for (const site of ['cross-site', 'same-site'])
      for (const path of ['/me', '/production/email/jane%40example.com'])
        assert.equal((await send('GET', path, { 'sec-fetch-site': site })).statusCode, 403, `${site} ${path}`);
    assert.equal(
      (await send('GET', '/me', { 'sec-fetch-site': 'none' })).statusCode,
      200,
      'typed into the address bar',
    );
  });

  it('a cross-site request gets no CORS headers on any response', async () => {
    const origin = 'https://evil.example';
    for (const path of ['/me', '/production/email/jane%40example.com', '/production/status', '/nowhere']) {
      const answers = [
        await injectRaw(started.app.server, { method: 'OPTIONS', url: `/console/api${path}`, headers: { origin } }),
        await send('GET', path, { origin, 'sec-fetch-site': 'cross-site' }),
        await send('GET', path, { origin, 'sec-fetch-site': 'same-origin' }),
      ];
      for (const { headers, statusCode } of answers) {
        const allowed = Object.keys(headers).filter((name) => name.startsWith('access-control'));
        assert.deepEqual(allowed, [], `${path} ${statusCode}`);
      }
      assert.ok((answers[0]?.statusCode ?? 0) >= 400, `preflight of ${path}`);
      assert.equal(answers[2]?.headers['cache-control'], 'no-store');
    }
  });
});

describe('the session cookie', () => {
  const attributes = (header: string) => header.split('; ').slice(1).sort();
  const linkOf = async (started: StartedApp) => ({ token: (await started.app.inviteFirstUser())?.link.token });

  it('the session cookie over plain HTTP is HttpOnly and SameSite, and its name contains the installation', async () => {
    const started = await startApp();
    try {
      const { headers } = await openBrowser(started).signIn(await linkOf(started));
      const set = headers['set-cookie'] ?? '';
      assert.match(set, /^signalpost_[0-9a-f]{8}=[\w-]{59};/);
      assert.deepEqual(attributes(set), ['HttpOnly', 'Max-Age=2592000', 'Path=/console/api', 'SameSite=Strict']);
    } finally {
      await started.close();
    }
  });

  for (const [name, variables, headers] of [
    ['a trusted proxy says so', { TRUST_PROXY: '1' }, { 'x-forwarded-proto': 'https' }],
    ['PUBLIC_URL says so of the host', { PUBLIC_URL: 'https://signals.example' }, { host: 'signals.example' }],
  ] as const) {
    it(`the session cookie over TLS, when ${name}, is Secure and __Host-, and a cookie of the plain name does not count`, async () => {
      const started = await startApp(variables);
      try {
        const browser = openBrowser(started);
        const answer = await browser.call('POST', '/sign-in', { body: await linkOf(started), headers });
        const set = answer.headers['set-cookie'] ?? '';
        assert.match(set, /^__Host-signalpost_[0-9a-f]{8}=/);
        assert.deepEqual(attributes(set), ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict', 'Secure']);
        assert.equal((await browser.call('GET', '/me', { headers })).status, 200);
        browser.cookie = browser.cookie.replace('__Host-', '');
        assert.equal((await browser.call('GET', '/me', { headers })).status, 401);
      } finally {
        await started.close();
      }
    });
  }

  it('X-Forwarded-Proto of an untrusted client does not change the session cookie', async () => {
    const started = await startApp();
    try {
      const headers = { 'x-forwarded-proto': 'https' };
      const { headers: told } = await openBrowser(started).call('POST', '/sign-in', {
        body: await linkOf(started),
        headers,
      });
      assert.match(told['set-cookie'] ?? '', /^signalpost_/);
    } finally {
      await started.close();
    }
  });
});
