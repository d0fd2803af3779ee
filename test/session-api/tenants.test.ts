import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Endpoint, isForSessions } from '../../src/http/endpoint.ts';
import { describeService } from '../engines.ts';
import { blockDomain, gateClient } from '../gate-client.ts';
import { inject, type Response } from '../inject.ts';
import { realClock, type StartedApp, startApp } from '../start-app.ts';
import { storeWave } from '../stored-wave.ts';
import { tester } from '../tester.ts';
import { type Browser, openBrowser, signedIn, usersOf } from './browser.ts';

/** Objects that belong to somebody, by the parameter that names them; `absent` names none. */
const absent = {
  gate_id: '01k00000000000000000000000',
  rule_id: '01k00000000000000000000000',
  decision_id: '01K00000000000000000000000',
  list_id: '01k00000000000000000000000',
  wave_id: '01k00000000000000000000000',
  domain: 'nobody.example',
  revision: '999999',
};
type Ids = Readonly<Record<string, string>>;

/** A body that names no object; its missing fields are reported before or after the missing object alike. */
const bodies: Readonly<Record<string, unknown>> = {
  changeGate: { name: 'Taken over' },
  addRule: blockDomain('example.com'),
  orderRules: { rule_ids: [] },
  replaceRules: { rules: [] },
  changeRule: { enabled: false },
  decide: { email: 'jane@example.com' },
  decideV0: { email: 'jane@example.com' },
  backtest: { rules: [] },
  trace: { email: 'jane@example.com' },
  traceGate: { email: 'jane@example.com' },
  setOutcome: { outcome: 'bad' },
  changeCustomList: { name: 'Taken over' },
  addToCustomList: { entries: [{ value: 'example.com' }] },
  previewCustomListEntries: { entries: [{ value: 'example.com' }] },
  removeFromCustomList: { values: ['example.com'] },
  judgeWave: { verdict: 'fine' },
  reportWaveOutcome: { outcome: 'bad' },
  acceptWaveRule: {},
};

/** What is served, those for the console alone included. */
const endpoints = await servedEndpoints();
const namesIn = ({ path }: Endpoint): string[] => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
const owned = (endpoint: Endpoint): boolean =>
  endpoint.family !== 'lookup' && namesIn(endpoint).some((name) => Object.hasOwn(absent, name));
const pathOf = ({ path }: Endpoint, ids: Ids): string => path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? 'x');

await describeService('objects of another account in the console', (fresh) => {
  let started: StartedApp;
  let ids: Ids;
  let stranger: Browser;
  let sibling: Browser;
  before(async () => {
    started = await startApp({}, { clock: realClock(), database: await fresh() });
    ids = await makeObjects(started);
    const other = await started.createAccount();
    stranger = await signedIn(started, { accountId: other.id, role: 'operator' });
    sibling = await signedIn(started);
  });
  after(() => started.close());

  const send = (browser: Browser, environment: string, endpoint: Endpoint, named: Ids) =>
    browser.call(
      endpoint.method,
      `/${environment}${pathOf(endpoint, named)}`,
      endpoint.schemas.body === undefined ? {} : { body: bodies[endpoint.operationId] ?? {} },
    );

  for (const endpoint of endpoints.filter(owned)) {
    it(`${endpoint.operationId}: is 404, the same as for an unknown id, also in another environment`, async () => {
      for (const [browser, environment] of [
        [stranger, 'production'],
        [sibling, 'staging'],
      ] as const) {
        const foreign = await send(browser, environment, endpoint, ids);
        const nobodys = await send(browser, environment, endpoint, { ...ids, ...absent });
        assert.equal(foreign.status, 404, foreign.text);
        assert.deepEqual([foreign.status, body(foreign)], [nobodys.status, body(nobodys)]);
      }
    });
  }

  it('every endpoint answers 401 without a session', async () => {
    for (const endpoint of endpoints) {
      const { status } = await send(openBrowser(started), 'production', endpoint, ids);
      assert.equal(status, 401, endpoint.operationId);
    }
  });

  it('console-only endpoints have no public path', async () => {
    for (const endpoint of endpoints.filter(({ access }) => access === 'session')) {
      const key = started.keys.production;
      const { status } = await inject(started.app.server, {
        method: endpoint.method,
        path: pathOf(endpoint, ids),
        key,
      });
      assert.ok(status === 404 || status === 405, `${endpoint.operationId} ${status}`);
    }
  });

  it('keys, users and sessions are 404, and stay unchanged', async () => {
    const victim = await signedIn(started, { role: 'operator' });
    const { json } = await victim.call<{ data: { id: string }[] }>('GET', '/me/sessions');
    const calls = [
      ['DELETE', `/users/${victim.userId}`],
      ['POST', `/users/${victim.userId}/link`],
      ['DELETE', `/me/sessions/${json.data[0]?.id}`],
    ] as const;
    for (const [method, path] of calls) {
      const foreign = await stranger.call(method, path);
      const nobodys = await stranger.call(method, path.replace(/01\w{24}/, '01k00000000000000000000000'));
      assert.deepEqual([foreign.status, foreign.json], [404, { error: 'not_found', message: 'Not found' }]);
      assert.deepEqual(nobodys.json, foreign.json);
    }
    assert.equal((await victim.call('GET', '/me')).status, 200);
  });

  it('users of another account cannot be detected by inviting their address, and keep it', async () => {
    const password = 'correct horse battery';
    const victim = await signedIn(started, { email: 'victim@example.com' });
    await victim.call('PUT', '/me/password', { body: { password } });
    const invite = (browser: Browser, email: string) =>
      browser.call<{ user: object; link: { url: string } }>('POST', '/users', { body: { email } });
    const shapeOf = ({ status, json: { user } }: Awaited<ReturnType<typeof invite>>) => [
      status,
      { ...user, id: '', email: '', created_at: '' },
    ];
    const inviter = await signedIn(started, { accountId: (await started.createAccount()).id });
    const ofVictim = await invite(inviter, 'Victim@example.com');
    assert.deepEqual(shapeOf(ofVictim), shapeOf(await invite(inviter, 'unknown@example.com')));
    assert.equal((await invite(inviter, 'victim@example.com')).status, 422, 'the account’s own user');
    const invited = openBrowser(started);
    assert.equal((await invited.signIn({ token: ofVictim.json.link.url.split('#')[1] })).status, 200);
    const taken = await invited.call('PUT', '/me/password', { body: { password: 'another long password' } });
    assert.deepEqual(taken.json.errors, { email: ['This address is already in use.'] });
    assert.equal((await openBrowser(started).signIn({ email: 'victim@example.com', password })).status, 200);
  });

  it('an address belongs to the first account whose invited user sets a password, also after a reset', async () => {
    const other = await started.createAccount();
    const email = 'invited@example.com';
    const first = await signedIn(started, { email });
    const second = await signedIn(started, { email, accountId: other.id });
    const body = { password: 'correct horse battery' };
    assert.equal((await second.call('PUT', '/me/password', { body })).status, 204);
    assert.equal((await first.call('PUT', '/me/password', { body })).status, 422);
    const signIn = await openBrowser(started).signIn({ email, ...body });
    assert.equal(signIn.json.account.id, other.id);
    const link = await (await usersOf(started)).resetPassword(second.userId, tester);
    assert.equal((await openBrowser(started).signIn({ email, ...body })).status, 401);
    assert.equal((await first.call('PUT', '/me/password', { body })).status, 422);
    assert.equal((await second.signIn({ token: link?.token })).status, 200);
    assert.equal((await second.call('PUT', '/me/password', { body })).status, 204);
  });

  it('lists contain only the account’s own objects', async () => {
    const users = (await stranger.call<{ data: { you: boolean }[] }>('GET', '/users')).json.data;
    assert.deepEqual(
      users.map(({ you }) => you),
      [true],
    );
    const gates = (await stranger.call<{ data: unknown[] }>('GET', '/production/v1/gates')).json.data;
    assert.deepEqual(gates, []);
  });

  it('an unknown environment is 404, before the session is checked', async () => {
    for (const environment of ['prod', 'Production', '%2e%2e%2f', '%00', 'production%2f', 'constructor'])
      for (const browser of [sibling, openBrowser(started)]) {
        const { status, json } = await browser.call('GET', `/${environment}/v1/gates`);
        assert.deepEqual([status, json?.error], [404, 'not_found'], environment);
      }
  });
});

describe('permissions in the console', () => {
  let started: StartedApp;
  before(async () => {
    started = await startApp();
  });
  after(() => started.close());

  it('a cookie is ignored on public paths, and a key on console paths', async () => {
    const browser = await signedIn(started);
    for (const path of ['/status', '/v1/gates', '/blocklist', '/email/jane%40example.com']) {
      const withCookie = await started.request('GET', path, {
        headers: { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' },
      });
      assert.equal(withCookie.status, 401, path);
      const withKey = await openBrowser(started).call('GET', `/production${path}`, {
        headers: { authorization: `Bearer ${started.keys.production}` },
      });
      assert.equal(withKey.status, 401, path);
      assert.equal((await browser.call('GET', `/production${path}`)).status, 200, path);
    }
  });

  it('a lookup in the console costs a credit, viewing pages does not', async () => {
    const browser = await signedIn(started);
    const used = async () =>
      (await browser.call<{ usage: { current: number } }>('GET', '/staging/status')).json.usage.current;
    const before = await used();
    assert.equal((await browser.call('GET', '/production/email/jane%40example.com')).status, 200);
    assert.equal((await browser.call('GET', '/production/v1/gates')).status, 200);
    assert.equal(await used(), before + 1);
  });

  it('requests that cost credits count towards the plan’s throughput, page views do not', async () => {
    const { id, keys } = await started.createAccount({ plan: 'free' });
    const browser = await signedIn(started, { accountId: id });
    for (let count = 0; count < 5; count += 1)
      assert.equal((await browser.call('GET', '/production/status')).status, 200);
    assert.equal((await started.request('GET', '/status', { key: keys.production })).status, 200);
    assert.equal((await browser.call('GET', '/production/domain/example.com')).status, 429);
  });

  it('the plan’s features apply in the console, too', async () => {
    const { id } = await started.createAccount({ plan: 'free' });
    const browser = await signedIn(started, { accountId: id });
    assert.equal((await browser.call('GET', '/production/v1/gates')).status, 403);
  });

  it('changes are recorded under the user’s name', async () => {
    const browser = await signedIn(started);
    assert.equal((await browser.call('POST', '/production/v1/gates', { body: { name: 'Mine' } })).status, 201);
    const rows = await started.db.read.selectFrom('audit').selectAll().where('actor_id', '=', browser.userId).execute();
    assert.ok(rows.some(({ actor_kind, action }) => actor_kind === 'user' && action === 'gate.created'));
  });

  it('pagination links stay within the console', async () => {
    const browser = await signedIn(started);
    for (const domain of ['a.example', 'b.example'])
      assert.equal((await browser.call('POST', '/production/blocklist', { body: { domain } })).status, 201);
    const { json } = await browser.call<{ links: { next: string } }>('GET', '/production/blocklist?per_page=1');
    assert.match(json.links.next, /\/console\/api\/production\/blocklist\?per_page=1&page=2$/);
  });

  it('a member cannot change or create operators, or change overage', async () => {
    const member = await signedIn(started);
    const operator = await signedIn(started, { role: 'operator' });
    for (const [method, path, body] of [
      ['DELETE', `/users/${operator.userId}`, undefined],
      ['POST', `/users/${operator.userId}/link`, undefined],
      ['POST', '/users', { email: 'evil@example.com', role: 'operator' }],
      ['PATCH', '/account', { overage: true }],
    ] as const) {
      const { status, json } = await member.call(method, path, body === undefined ? {} : { body });
      assert.deepEqual([status, json.error], [403, 'operator_only'], path);
    }
    assert.equal((await operator.call('GET', '/me')).status, 200);
    const changed = await operator.call<{ account: { overage: boolean } }>('PATCH', '/account', {
      body: { overage: true },
    });
    assert.equal(changed.json.account.overage, true);
  });

  it('no user can create a link for a user with a password, or for themselves', async () => {
    const password = 'correct horse battery';
    const victim = await signedIn(started);
    const member = await signedIn(started);
    const operator = await signedIn(started, { role: 'operator' });
    const link = `/users/${victim.userId}/link`;
    assert.equal((await member.call('POST', link)).status, 201, 'before there is a password');
    assert.equal((await victim.call('PUT', '/me/password', { body: { password } })).status, 204);
    assert.deepEqual((await member.call('POST', link)).json.error, 'operator_only');
    assert.equal((await victim.call('POST', link)).status, 422);
    assert.equal((await operator.call('POST', link)).status, 201);
  });

  it('a deleted user is signed out immediately, users cannot delete themselves, and addresses are unique', async () => {
    const one = await signedIn(started);
    const other = await signedIn(started);
    assert.equal((await one.call('DELETE', `/users/${one.userId}`)).status, 422);
    assert.equal((await one.call('POST', '/users', { body: { email: other.email.toUpperCase() } })).status, 422);
    assert.equal((await one.call('DELETE', `/users/${other.userId}`)).status, 204);
    assert.equal((await other.call('GET', '/me')).status, 401);
  });

  it('an invited user signs in by the link, which is a page of this console', async () => {
    const browser = await signedIn(started);
    const { status, json } = await browser.call<{ link: { url: string }; user: { role: string } }>('POST', '/users', {
      body: { email: 'new@example.com' },
    });
    assert.deepEqual([status, json.user.role], [201, 'member']);
    const [page, token] = json.link.url.split('#');
    assert.match(page ?? '', /^http:\/\/[^/]+\/console\/sign-in$/);
    assert.equal((await openBrowser(started).signIn({ token })).status, 200);
  });
});

function body({ json, text }: Response): unknown {
  return json === undefined ? text : { ...(json as object), meta: undefined };
}

async function makeObjects(started: StartedApp): Promise<Ids> {
  const client = gateClient(started);
  const { id } = await client.createGate();
  const rule = await client.addRule(id);
  const domain = 'spam.example';
  const decided = await client.call<{ meta: { decision_id: string } }>('POST', `/v1/gates/${id}/decisions`, { domain });
  assert.equal((await client.call('POST', '/blocklist', { domain })).status, 201);
  const list = await client.call<{ data: { id: string } }>('POST', '/v1/lists', { name: 'Partners', kind: 'domain' });
  return {
    gate_id: id,
    rule_id: rule.id,
    decision_id: decided.json.meta.decision_id,
    list_id: list.json.data.id,
    wave_id: await storeWave(started),
    domain,
    revision: '1',
  };
}

/** The endpoints of environments that signed-in users reach. */
async function servedEndpoints(): Promise<readonly Endpoint[]> {
  const started = await startApp();
  await started.close();
  return started.app.endpoints.filter((endpoint) => endpoint.accountRole === undefined && isForSessions(endpoint));
}
