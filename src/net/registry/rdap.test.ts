import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type RdapScenario, type RdapServer, startRdapServer } from '../../../test/rdap-server.ts';
import { createGuardedHttp, type GuardedHttp } from '../http/guarded-http.ts';
import { createRdap, type Rdap } from './rdap.ts';

const startMs = Date.UTC(2026, 10, 15);
let nowMs = startMs;
let dataDir: string;
let server: RdapServer;
let http: GuardedHttp;
let rdap: Rdap;

const now = () => nowMs;
const ask = (name: string, waitMs = 5_000) => rdap.registeredAt(name, { atMs: nowMs + waitMs });
/** A client may still be writing the copy it fetched in the background: `rm` retries when the folder fills again. */
const removeDuringWrites = (folder: string) => rm(folder, { recursive: true, maxRetries: 10 });
const asked = (name: string) => server.requests.get(`/rdap/domain/${name}`) ?? 0;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rdap-'));
  server = await startRdapServer(['test']);
  http = createGuardedHttp({ allowOrigins: [server.origin], offline: false });
});
beforeEach(() => {
  nowMs = startMs;
  rdap = createRdap({ http, url: server.bootstrapUrl, dataDir, now });
});
after(async () => {
  http.close();
  await server.close();
  await removeDuringWrites(dataDir);
});

describe('a registry with two servers', () => {
  it('a registry with two servers answers from the second one when the first fails', async () => {
    const gone = 'http://127.0.0.1:1';
    const both = createGuardedHttp({ allowOrigins: [gone, server.origin], offline: false });
    const folder = await mkdtemp(join(tmpdir(), 'rdap-'));
    server.setBootstrap({ version: '1.0', services: [[['test'], [`${gone}/`, `${server.origin}/rdap/`]]] });
    server.behave('twice.test', { kind: 'registered', at: '1995-08-14T04:00:00Z' });
    const client = createRdap({ http: both, url: server.bootstrapUrl, dataDir: folder, now });
    const { kind } = await client.registeredAt('twice.test', { atMs: nowMs + 5_000 });
    both.close();
    server.setBootstrap({ version: '1.0', services: [[['test'], [`${server.origin}/rdap/`]]] });
    await removeDuringWrites(folder);
    assert.equal(kind, 'found');
  });
});

describe('answers', () => {
  it('RDAP answers have the date of the registration event and its server', async () => {
    server.behave('old.test', { kind: 'registered', at: '1995-08-14T04:00:00Z', action: 'REGISTRATION' });
    assert.deepEqual(await ask('old.test'), {
      kind: 'found',
      registeredAtMs: Date.UTC(1995, 7, 14, 4),
      source: 'rdap',
      server: '127.0.0.1',
    });
  });

  it('RDAP answers of "not found", or without a date, are answers', async () => {
    assert.deepEqual(await ask('absent.test'), { kind: 'none' });
    server.behave('dateless.test', { kind: 'no_events' });
    assert.deepEqual(await ask('dateless.test'), { kind: 'none' });
  });

  it('RDAP answers are not expected where the registry has no RDAP, nor for names that are none', async () => {
    for (const name of ['example.other', 'test', '..test', 'a/../b.test', 'a?b.test', 'a b.test', 'A.test', '']) {
      assert.deepEqual(await ask(name), { kind: 'unserved' }, name);
    }
  });
});

describe('failures', () => {
  const cases: [string, RdapScenario, string][] = [
    ['a server error', { kind: 'error' }, 'server_error'],
    ['a redirect loop', { kind: 'loop' }, 'redirect'],
    ['300 MB', { kind: 'huge' }, 'too_large'],
    ['a gzip bomb', { kind: 'gzip_bomb' }, 'too_large'],
    ['JSON 200,000 deep', { kind: 'deep' }, 'broken'],
    ['HTML', { kind: 'wrong', body: '<!doctype html>' }, 'broken'],
    ['a list', { kind: 'wrong', body: '[]' }, 'broken'],
    ['nothing', { kind: 'wrong', body: '' }, 'broken'],
  ];
  for (const [name, scenario, reason] of cases) {
    it(`RDAP failures are reported as ${reason} for ${name}`, async () => {
      server.behave('bad.test', scenario);
      assert.deepEqual(await ask('bad.test'), { kind: 'failed', reason });
    });
  }

  it('RDAP failures caused by a redirect loop are reported after five hops', async () => {
    server.behave('loop.test', { kind: 'loop' });
    await ask('loop.test');
    assert.equal(asked('loop.test'), 6);
  });

  it('RDAP failures caused by silence or a drip of bytes are reported by the deadline', {
    timeout: 30_000,
  }, async () => {
    server.behave('silent.test', { kind: 'silent' });
    server.behave('drip.test', { kind: 'drip' });
    assert.deepEqual(await ask('silent.test', 200), { kind: 'failed', reason: 'timeout' });
    assert.deepEqual(await ask('drip.test', 200), { kind: 'failed', reason: 'timeout' });
  });

  it('RDAP failures are reported after three seconds at most, however long the caller would wait', {
    timeout: 30_000,
  }, async () => {
    server.behave('drip.test', { kind: 'drip' });
    assert.deepEqual(await ask('drip.test', 3_600_000), { kind: 'failed', reason: 'timeout' });
  });

  it('RDAP failures are reported by the deadline even while the bootstrap hangs', { timeout: 30_000 }, async () => {
    const sockets: Socket[] = [];
    const hanging = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const client = createGuardedHttp({ allowOrigins: [origin], offline: false });
    const other = createRdap({ http: client, url: `${origin}/x`, dataDir: join(dataDir, 'none'), now });
    const failed = await other.registeredAt('a.test', { atMs: nowMs + 100 });
    assert.deepEqual(failed, { kind: 'failed', reason: 'timeout' });
    const caller = AbortSignal.abort();
    const aborted = await other.registeredAt('a.test', { atMs: nowMs + 100, signal: caller });
    assert.deepEqual(aborted, { kind: 'failed', reason: 'aborted' });
    client.close();
    for (const socket of sockets) socket.destroy();
    hanging.close();
  });

  it('RDAP failures caused by a redirect to a private address are reported before anything is contacted', async () => {
    let connections = 0;
    const secret = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => secret.listen(0, '127.0.0.1', resolve));
    const { port } = secret.address() as AddressInfo;
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      server.behave('inside.test', { kind: 'redirect', to: `http://${host}:${port}/latest/meta-data` });
      assert.deepEqual(await ask('inside.test'), { kind: 'failed', reason: 'blocked_address' });
    }
    assert.equal(connections, 0);
    secret.close();
  });

  it('RDAP failures say whether there is no bootstrap or the service is offline', async () => {
    const options = { http, url: `${server.origin}/missing`, dataDir: join(dataDir, 'none'), now };
    const reason = 'no_bootstrap';
    assert.deepEqual(await createRdap(options).registeredAt('a.test', { atMs: nowMs + 5_000 }), {
      kind: 'failed',
      reason,
    });
    const offline = createGuardedHttp({ allowOrigins: [server.origin], offline: true });
    await ask('absent.test');
    const away = createRdap({ http: offline, url: server.bootstrapUrl, dataDir, now });
    const answer = await away.registeredAt('a.test', { atMs: nowMs + 5_000 });
    assert.deepEqual(answer, { kind: 'failed', reason: 'offline' });
  });
});

describe('a redirect', () => {
  it('a redirect of an RDAP server to another allowed server is followed', async () => {
    server.behave('moved.test', { kind: 'redirect', to: '/elsewhere/domain/target.test' });
    server.behave('target.test', { kind: 'registered', at: '2001-01-01T00:00:00Z' });
    const answer = await ask('moved.test');
    assert.equal(answer.kind === 'found' && answer.registeredAtMs, Date.UTC(2001, 0, 1));
  });
});

describe('a struggling server', () => {
  it('a struggling RDAP server is left alone after five failures, and tried once after a minute', async () => {
    server.behave('down.test', { kind: 'error' });
    const beforeMs = asked('down.test');
    for (let count = 0; count < 5; count++) await ask('down.test');
    assert.deepEqual(await ask('down.test'), { kind: 'failed', reason: 'breaker_open' });
    assert.equal(asked('down.test') - beforeMs, 5);
    nowMs += 60_000;
    assert.deepEqual(await ask('down.test'), { kind: 'failed', reason: 'server_error' });
    assert.deepEqual(await ask('down.test'), { kind: 'failed', reason: 'breaker_open' });
    nowMs += 60_000;
    server.behave('down.test', { kind: 'registered', at: '2001-01-01T00:00:00Z' });
    assert.equal((await ask('down.test')).kind, 'found');
    assert.equal((await ask('down.test')).kind, 'found');
  });

  it('a struggling RDAP server that refuses single names, however many, is still queried about others', async () => {
    for (let count = 0; count < 10; count++) {
      const name = `refused${count}.test`;
      server.behave(name, { kind: 'refused', status: count % 2 === 0 ? 400 : 403 });
      assert.deepEqual(await ask(name), { kind: 'failed', reason: 'refused' });
    }
    server.behave('welcome.test', { kind: 'registered', at: '2001-01-01T00:00:00Z' });
    assert.equal((await ask('welcome.test')).kind, 'found');
  });

  it('a struggling RDAP server with Retry-After is not queried before', async () => {
    server.behave('limited.test', { kind: 'limited', retryAfter: '120' });
    server.behave('fine.test', { kind: 'registered', at: '2001-01-01T00:00:00Z' });
    const limited = { kind: 'failed', reason: 'rate_limited', retryAfterMs: 120_000 };
    assert.deepEqual(await ask('limited.test'), limited);
    nowMs += 119_000;
    assert.deepEqual(await ask('fine.test'), { ...limited, retryAfterMs: 1_000 });
    assert.equal(asked('fine.test'), 0);
    nowMs += 1_000;
    assert.equal((await ask('fine.test')).kind, 'found');
  });

  it('a struggling RDAP server that limits without Retry-After gets a minute, also past a clock set back', async () => {
    server.behave('limited.test', { kind: 'limited' });
    const answer = await ask('limited.test');
    assert.equal(answer.kind === 'failed' && answer.retryAfterMs, 60_000);
    nowMs -= 2 * 86_400_000;
    assert.deepEqual(await ask('absent.test'), { kind: 'none' });
  });
});
