import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { createAuditStore } from '../../src/audit/audit-store.ts';
import { createSessionsStore } from '../../src/console/access/sessions-store.ts';
import { describeEngines } from '../engines.ts';
import { type StartedApp, startApp } from '../start-app.ts';
import { tester } from '../tester.ts';
import { openBrowser, signedIn, usersOf } from './browser.ts';

const password = 'correct horse battery';
const hourMs = 3_600_000;

await describeEngines('the first user of the console', (fresh) => {
  it('the first user of the console is created once when two processes start at the same time', async (t) => {
    const started = await startApp({}, { database: await fresh() });
    t.after(() => started.close());
    const invited = await Promise.all([started.app.inviteFirstUser(), started.app.inviteFirstUser()]);
    assert.deepEqual(new Set(invited.map((invitation) => invitation?.user.email)).size, 1);
    assert.ok(invited.every((invitation) => invitation !== null));
    assert.equal((await (await usersOf(started)).list(null)).length, 1);
  });

  it('the first user of the console is not invited, and the service starts, when a member has their address', async (t) => {
    const started = await startApp({}, { database: await fresh() });
    t.after(() => started.close());
    const wanted = { accountId: started.first.id, email: 'owner@localhost', role: 'member' } as const;
    await (await usersOf(started)).create(wanted, tester);
    assert.equal(await started.app.inviteFirstUser(), null);
  });
});

await describeEngines('the password of a user', (fresh) => {
  it('the password of a user is hashed at the usual cost', async (t) => {
    const started = await startApp({}, { database: await fresh(), hashesAtUsualCost: true });
    t.after(() => started.close());
    const browser = await signedIn(started);
    assert.equal((await browser.call('PUT', '/me/password', { body: { password } })).status, 204);
    assert.equal((await openBrowser(started).signIn({ email: browser.email, password })).status, 200);
    const users = await started.db.read.selectFrom('users').selectAll().execute();
    assert.match(JSON.stringify(users), /scrypt\$15\$8\$3\$/);
  });
});

await describeEngines('signing in to the console', (fresh) => {
  let started: StartedApp;
  before(async () => {
    started = await startApp({}, { database: await fresh() });
  });
  after(() => started.close());
  const withPassword = async () => {
    const browser = await signedIn(started);
    const { status, text } = await browser.call('PUT', '/me/password', { body: { password } });
    assert.equal(status, 204, text);
    return browser;
  };

  it('the first user signs in once by the printed link, and no link is created after that', async () => {
    const { call, signIn } = openBrowser(started);
    const before = await call('GET', '/sign-in');
    assert.deepEqual([before.status, before.json.first_run, before.json.me], [200, true, null]);
    const invitation = await started.app.inviteFirstUser();
    const again = await started.app.inviteFirstUser();
    assert.equal((await signIn({ token: invitation?.link.token })).status, 401, 'the newer link replaced it');
    const { status, json } = await signIn({ token: again?.link.token });
    assert.equal(status, 200);
    assert.equal(json.account.id, started.first.id);
    assert.deepEqual((json.user as Record<string, unknown>).role, 'operator');
    assert.equal(await started.app.inviteFirstUser(), null);
    const after = (await call('GET', '/sign-in')).json;
    assert.deepEqual([after.first_run, after.me], [false, json]);
    assert.equal((await openBrowser(started).call('GET', '/sign-in')).json.me, null, 'for a stranger it is nobody');
  });

  it('a used link is rejected, also when two requests use it at the same time', async () => {
    const users = await usersOf(started);
    const wanted = { accountId: started.first.id, email: 'twice@example.com', role: 'member' } as const;
    const { link } = await users.create(wanted, tester);
    const tries = await Promise.all([1, 2, 3].map(() => openBrowser(started).signIn({ token: link.token })));
    assert.deepEqual(tries.map(({ status }) => status).sort(), [200, 401, 401]);
    const { status, json } = await openBrowser(started).signIn({ token: link.token });
    assert.deepEqual([status, (json as unknown as { error: string }).error], [401, 'link_invalid']);
  });

  it('a link names its user and account without signing in, and stays valid', async () => {
    const users = await usersOf(started);
    const wanted = { accountId: started.first.id, email: 'named@example.com', role: 'member' } as const;
    const { link } = await users.create(wanted, tester);
    const browser = openBrowser(started);
    const read = (token: string) => browser.call('POST', '/sign-in/link', { body: { token } });
    for (let count = 0; count < 2; count += 1) {
      const { status, json } = await read(link.token);
      assert.deepEqual([status, json], [200, { email: 'named@example.com', account: 'Default' }]);
    }
    assert.equal(browser.cookie, '');
    assert.equal((await read('A'.repeat(59))).status, 401);
    assert.equal((await browser.signIn({ token: link.token })).status, 200);
    assert.deepEqual([(await read(link.token)).status, (await read(link.token)).json.error], [401, 'link_invalid']);
  });

  it('a link that has expired names no one', async () => {
    const users = await usersOf(started);
    const wanted = { accountId: started.first.id, email: 'late-name@example.com', role: 'member' } as const;
    const { link } = await users.create(wanted, tester);
    started.clock.advance(24 * hourMs);
    assert.equal(
      (await openBrowser(started).call('POST', '/sign-in/link', { body: { token: link.token } })).status,
      401,
    );
  });

  it('a link expires after a day', async () => {
    const users = await usersOf(started);
    const wanted = { accountId: started.first.id, email: 'late@example.com', role: 'member' } as const;
    const { link } = await users.create(wanted, tester);
    started.clock.advance(24 * hourMs);
    assert.equal((await openBrowser(started).signIn({ token: link.token })).status, 401);
  });

  it('a link of another installation, or a forged one, is rejected', async () => {
    for (const token of ['', 'x'.repeat(59), 'A'.repeat(43) + 'B'.repeat(16), '../../etc', 'é'.repeat(59)])
      assert.equal((await openBrowser(started).signIn({ token })).status, 401, token);
  });

  it('a password signs in, with the address in any case; a wrong password and an unknown user get the same response', async () => {
    const { email } = await withPassword();
    const right = await openBrowser(started).signIn({ email: ` ${email.toUpperCase()} `, password });
    assert.equal(right.status, 200, right.text);
    const wrong = await openBrowser(started).signIn({ email, password: `${password}!` });
    const stranger = await openBrowser(started).signIn({ email: 'nobody@example.com', password });
    assert.deepEqual([wrong.status, wrong.json], [stranger.status, stranger.json]);
    assert.deepEqual([wrong.status, (wrong.json as unknown as { error: string }).error], [401, 'sign_in_failed']);
  });

  it('a user without a password cannot sign in with any', async () => {
    const { email } = await signedIn(started);
    for (const tried of ['', 'null', password])
      assert.equal((await openBrowser(started).signIn({ email, password: tried })).status, 401, tried);
  });

  it('creates a new session each time, and ends the session that the browser had', async () => {
    const { email, cookie: planted, call } = await withPassword();
    const browser = openBrowser(started);
    browser.cookie = planted;
    await browser.signIn({ email, password });
    assert.notEqual(browser.cookie, planted);
    assert.equal((await browser.call('GET', '/me')).status, 200);
    assert.equal((await call('GET', '/me')).status, 401, 'the planted session has ended');
  });

  it('answers 401 to a session that is forged, of another purpose, or ended', async () => {
    const browser = await signedIn(started);
    const [name = '', token = ''] = browser.cookie.split('=');
    const users = await usersOf(started);
    const link = await users.invite(browser.userId, tester);
    for (const bad of ['', 'x', `${token}x`, token.slice(1), `B${token.slice(1)}`, link?.token ?? '']) {
      const { status, json } = await openBrowser(started).call('GET', '/me', { headers: { cookie: `${name}=${bad}` } });
      assert.deepEqual([status, json.error], [401, 'session_required'], bad);
    }
    assert.equal((await browser.call('POST', '/sign-out', { body: {} })).status, 204);
    assert.equal(browser.cookie, '');
    browser.cookie = `${name}=${token}`;
    assert.equal((await browser.call('GET', '/me')).status, 401);
  });

  it('ends a session twelve hours after its last request', async () => {
    const browser = await signedIn(started);
    started.clock.advance(11 * hourMs);
    assert.equal((await browser.call('GET', '/me')).status, 200);
    started.clock.advance(12 * hourMs);
    assert.equal((await browser.call('GET', '/me')).status, 401);
  });

  it('ends a session thirty days after its start, even when it is in use', async () => {
    const browser = await signedIn(started);
    const beganMs = started.clock.now();
    const endsMs = beganMs + 30 * 24 * hourMs;
    while (started.clock.now() + 10 * hourMs < endsMs) {
      started.clock.advance(10 * hourMs);
      assert.equal((await browser.call('GET', '/me')).status, 200);
    }
    started.clock.advance(endsMs - started.clock.now());
    assert.equal((await browser.call('GET', '/me')).status, 401);
  });

  it('everywhere signs out every session of the user, and of no other user', async () => {
    const one = await withPassword();
    const other = openBrowser(started);
    await other.signIn({ email: one.email, password });
    const bystander = await signedIn(started);
    assert.equal((await one.call('POST', '/sign-out', { body: { everywhere: true } })).status, 204);
    assert.equal((await other.call('GET', '/me')).status, 401);
    assert.equal((await bystander.call('GET', '/me')).status, 200);
  });

  it('a new password requires the current one, and ends every other session and every link', async () => {
    const browser = await withPassword();
    const elsewhere = openBrowser(started);
    await elsewhere.signIn({ email: browser.email, password });
    const link = await (await usersOf(started)).invite(browser.userId, tester);
    for (const body of [
      { password: 'another long password' },
      { password: 'another long password', current_password: 'not this one at all' },
      { password: 'short', current_password: password },
      { password: 'abababababab', current_password: password },
      { password: `${browser.email}-and-more`, current_password: password },
    ])
      assert.equal((await browser.call('PUT', '/me/password', { body })).status, 422, JSON.stringify(body));
    const body = { password: 'another long password', current_password: password };
    assert.equal((await browser.call('PUT', '/me/password', { body })).status, 204);
    assert.equal((await browser.call('GET', '/me')).status, 200);
    assert.equal((await elsewhere.call('GET', '/me')).status, 401);
    assert.equal((await elsewhere.signIn({ token: link?.token })).status, 401);
    assert.equal((await elsewhere.signIn({ email: browser.email, password })).status, 401);
  });

  it('a password that changes between its check and the session does not sign in', async () => {
    const { userId } = await withPassword();
    const sessions = createSessionsStore(started.db);
    const session = { id: 'late', hash: 'late', createdAtMs: started.clock.now(), from: '192.0.2.1', agent: '' };
    assert.equal(await sessions.beginByPassword(userId, 'scrypt$15$8$3$the$one-before', session), false);
    assert.equal(await sessions.find('late'), null);
  });

  it('a link replaces the current password for one hour only', async () => {
    const { email, userId } = await withPassword();
    const link = await (await usersOf(started)).invite(userId, tester);
    const browser = openBrowser(started);
    const { json } = await browser.signIn({ token: link?.token });
    assert.equal((json.user as Record<string, unknown>).password_needed, false);
    started.clock.advance(hourMs);
    assert.equal(
      (await browser.call('PUT', '/me/password', { body: { password: 'a new one, much later' } })).status,
      422,
    );
    assert.equal((await openBrowser(started).signIn({ email, password })).status, 200);
  });

  it('a reset ends the password and sessions immediately, and its link allows setting a new one', async () => {
    const browser = await withPassword();
    const link = await (await usersOf(started)).resetPassword(browser.userId, tester);
    assert.equal((await browser.call('GET', '/me')).status, 401);
    assert.equal((await browser.signIn({ email: browser.email, password })).status, 401);
    assert.equal((await browser.signIn({ token: link?.token })).status, 200);
    assert.equal((await browser.call('PUT', '/me/password', { body: { password } })).status, 204);
  });

  it('a user may change their address, but not to another user’s', async () => {
    const browser = await signedIn(started);
    const { email: taken } = await withPassword();
    const wrong = await browser.call('PUT', '/me/password', { body: { password, email: taken } });
    assert.deepEqual([wrong.status, Object.keys(wrong.json.errors as object)], [422, ['email']]);
    const right = await browser.call('PUT', '/me/password', { body: { password, email: 'Jane.New@example.com' } });
    assert.equal(right.status, 204);
    assert.equal((await openBrowser(started).signIn({ email: 'jane.new@example.com', password })).status, 200);
  });

  it('a user’s own sessions are listed and can be ended; other users’ sessions are not found', async () => {
    const browser = await signedIn(started);
    const other = await signedIn(started);
    const own = (await browser.call<{ data: { id: string; current: boolean }[] }>('GET', '/me/sessions')).json.data;
    assert.deepEqual(
      own.map(({ current }) => current),
      [true],
    );
    assert.equal((await other.call('DELETE', `/me/sessions/${own[0]?.id}`)).status, 404);
    assert.equal((await browser.call('DELETE', `/me/sessions/${own[0]?.id}`)).status, 204);
    assert.equal((await browser.call('GET', '/me')).status, 401);
  });

  it('a user’s sessions name the place of a public address, and none of a private one', async () => {
    const { email } = await withPassword();
    const browser = openBrowser(started);
    const body = { email, password };
    assert.equal((await browser.call('POST', '/sign-in', { body, remoteAddress: '8.8.8.8' })).status, 200);
    interface Session {
      readonly from: string;
      readonly location: string | null;
    }
    const { data } = (await browser.call<{ data: readonly Session[] }>('GET', '/me/sessions')).json;
    assert.deepEqual(data.map(({ from, location }) => [from, location]).sort(), [
      ['127.0.0.1', null],
      ['8.8.8.8', 'United States'],
    ]);
  });

  it('is recorded in the audit trail, without addresses and secrets', async () => {
    const browser = await withPassword();
    const entries = await createAuditStore(started.db).list({ subject: browser.userId }, 10);
    assert.deepEqual(entries.map(({ action }) => action).sort(), [
      'user.created',
      'user.link_created',
      'user.password_changed',
      'user.signed_in',
    ]);
    assert.doesNotMatch(JSON.stringify(entries), /@example|scrypt|signalpost_/);
  });

  it('stores neither password nor token in the database', async () => {
    const browser = await withPassword();
    const [, token = ''] = browser.cookie.split('=');
    const rows = JSON.stringify([
      await started.db.read.selectFrom('users').selectAll().execute(),
      await started.db.read.selectFrom('sessions').selectAll().execute(),
      await started.db.read.selectFrom('sign_in_links').selectAll().execute(),
    ]);
    assert.ok(!rows.includes(token) && !rows.includes(password));
  });
});

describe('guessing passwords', () => {
  let started: StartedApp;
  before(async () => {
    started = await startApp({ IP_BLOCK_AFTER: '5', IP_BLOCK_LOOPBACK: 'true' });
  });
  after(() => started.close());
  const guess = (email: string, remoteAddress: string, tried = 'wrong password') =>
    openBrowser(started).call('POST', '/sign-in', { body: { email, password: tried }, remoteAddress });

  it('is throttled after three failed attempts, longer each time, also when they are concurrent', async () => {
    const { email } = await signedIn(started);
    const tries = await Promise.all(Array.from({ length: 8 }, () => guess(email, '198.51.100.1')));
    assert.deepEqual(tries.map(({ status }) => status).sort(), [401, 401, 401, 429, 429, 429, 429, 429]);
    const waits: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const held = await guess(email, '198.51.100.1');
      assert.equal(held.status, 429);
      assert.equal(held.json.error, 'sign_in_throttled');
      waits.push(held.headers['retry-after'] ?? '');
      started.clock.advance(Number(held.headers['retry-after']) * 1_000);
      assert.equal((await guess(email, '198.51.100.1')).status, 401);
    }
    assert.deepEqual(waits, ['1', '2', '4']);
  });

  it('rejects the right password while throttled, and does not reveal that it was right', async () => {
    const browser = await signedIn(started);
    await browser.call('PUT', '/me/password', { body: { password } });
    for (let count = 0; count < 3; count += 1) await guess(browser.email, '198.51.100.2');
    assert.equal((await guess(browser.email, '198.51.100.2', password)).status, 429);
  });

  it('from elsewhere does not lock out a user on a network where they have signed in', async () => {
    const browser = await signedIn(started);
    await browser.call('PUT', '/me/password', { body: { password } });
    assert.equal((await guess(browser.email, '203.0.113.9', password)).status, 200);
    for (let count = 0; count < 11; count += 1) await guess(browser.email, `192.0.2.${count}`);
    assert.equal((await guess(browser.email, '192.0.2.200', password)).status, 429);
    assert.equal((await guess(browser.email, '203.0.113.9', password)).status, 200);
  });

  it('at many addresses from one network is throttled, and the attacker’s own sign-in does not reset it', async () => {
    const own = await signedIn(started);
    await own.call('PUT', '/me/password', { body: { password } });
    for (let count = 0; count < 19; count += 1) {
      assert.equal((await guess(`name${count}@example.com`, '198.51.100.3')).status, 401);
      if (count === 10) assert.equal((await guess(own.email, '198.51.100.3', password)).status, 200);
    }
    assert.equal((await guess('name19@example.com', '198.51.100.3')).status, 401);
    assert.equal((await guess('name20@example.com', '198.51.100.3')).status, 429);
  });

  it('from ever new addresses does not lock out users, on their own network nor on a new one', async () => {
    const { email, call } = await signedIn(started);
    await call('PUT', '/me/password', { body: { password }, remoteAddress: '203.0.113.20' });
    let isOver = false;
    let guesses = 0;
    const clients = Array.from({ length: 50 }, async () => {
      while (!isOver) {
        guesses += 1;
        await guess(`name${guesses}@example.org`, `10.${guesses >> 16}.${(guesses >> 8) & 255}.${guesses & 255}`);
      }
    });
    const statuses: number[] = [];
    for (let count = 0; count < 10; count += 1) {
      const from = count < 9 ? '203.0.113.20' : '203.0.113.30';
      statuses.push((await guess(email, from, password)).status);
    }
    isOver = true;
    await Promise.all(clients);
    assert.deepEqual(statuses, Array(10).fill(200));
  });

  it('is counted together by two instances that share a database', async () => {
    const { email } = await signedIn(started);
    const { config, clock, keys } = started;
    const database = { url: config.databaseUrl, dataDir: config.dataDir };
    const other = await startApp({}, { database, clock, existing: keys.production });
    try {
      const tries = Array.from({ length: 8 }, (_, turn) =>
        openBrowser(turn % 2 === 0 ? started : other).call('POST', '/sign-in', {
          body: { email, password: 'wrong password' },
          remoteAddress: '198.51.100.8',
        }),
      );
      const statuses = (await Promise.all(tries)).map(({ status }) => status);
      assert.deepEqual(statuses.sort(), [401, 401, 401, 429, 429, 429, 429, 429]);
    } finally {
      await other.app.close();
      await other.db.close();
    }
  });

  it('is logged with the address it comes from, and without name and password', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const noisy = await startApp({}, { log });
    try {
      const body = { email: 'jane@example.com', password: 'the wrong password' };
      await openBrowser(noisy).call('POST', '/sign-in', { body, remoteAddress: '198.51.100.7' });
      const told = lines.filter((line) => line.includes('sign-in refused'));
      assert.equal(told.length, 1);
      assert.match(told[0] ?? '', /"address":"198\.51\.100\.7"/);
      assert.doesNotMatch(lines.join(''), /jane|wrong password/);
    } finally {
      await noisy.close();
    }
  });

  it('never blocks the IP address for the API: a signed-out user must not lock out their own servers', async () => {
    const remoteAddress = '198.51.100.4';
    for (let count = 0; count < 10; count += 1) {
      assert.equal((await openBrowser(started).call('GET', '/me', { remoteAddress })).status, 401);
      assert.equal((await openBrowser(started).call('GET', '/production/v1/gates', { remoteAddress })).status, 401);
    }
    const other = await started.request('GET', '/status', { remoteAddress });
    assert.equal(other.status, 401, 'not 429');
  });
});
