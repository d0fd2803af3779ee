import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type FakeWhoisServer, startWhoisServer } from '../../../test/whois-server.ts';
import { createWhois, type Whois } from './whois.ts';

const startMs = Date.UTC(2026, 10, 15);
let nowMs = startMs;
let server: FakeWhoisServer;
let whois: Whois;

const now = () => nowMs;
const row = (suffix: string, host = '127.0.0.1') => ({
  suffix,
  host,
  port: server.port,
  label: 'registered',
  format: 'YYYY-MM-DD',
});
const ask = (name: string, waitMs = 5_000) => whois.registeredAt(name, { atMs: nowMs + waitMs });

before(async () => {
  server = await startWhoisServer();
});
beforeEach(() => {
  nowMs = startMs;
  whois = createWhois({
    now,
    offline: false,
    allowOrigins: [`whois://127.0.0.1:${server.port}`],
    servers: [row('xy'), { ...row('jp'), query: '%s/e' }],
  });
});
after(() => server.close());

describe('a question by WHOIS', () => {
  it('a WHOIS query returns the registration date and its server', async () => {
    server.behave('old.xy', 'domain: old.xy\r\nregistrant: Jos\xe9\r\nregistered: 2003-03-07\r\n');
    const registeredAtMs = Date.UTC(2003, 2, 7);
    assert.deepEqual(await ask('old.xy'), { kind: 'found', registeredAtMs, source: 'whois', server: '127.0.0.1' });
  });

  it('a question by WHOIS is put in the form the registry wants', async () => {
    server.behave('old.jp/e', '[Created on]  2003/03/07\r\n');
    assert.equal((await ask('old.jp')).kind, 'found');
    assert.equal(server.questions.at(-1), 'old.jp/e');
  });

  it('a question by WHOIS that finds nothing is answered; one that gets nothing has failed', async () => {
    assert.deepEqual(await ask('absent.xy'), { kind: 'none' });
    server.behave('empty.xy', '');
    assert.deepEqual(await ask('empty.xy'), { kind: 'failed', reason: 'broken' });
    server.behave('often.xy', 'Query rate limit exceeded\r\n');
    assert.deepEqual(await ask('often.xy'), { kind: 'failed', reason: 'rate_limited', retryAfterMs: 60_000 });
  });

  it('a question by WHOIS is not put where there is no server, nor with a name that could change it', async () => {
    const before = server.questions.length;
    for (const name of ['a.zz', 'xy', 'a\r\nb.xy', 'a b.xy', '-x.xy', '']) {
      assert.deepEqual(await ask(name), { kind: 'unserved' }, JSON.stringify(name));
    }
    assert.equal(server.questions.length, before);
  });

  it('a question by WHOIS ends at 64 KB and at the deadline', { timeout: 30_000 }, async () => {
    server.behave('endless.xy', { kind: 'endless' });
    assert.deepEqual(await ask('endless.xy'), { kind: 'failed', reason: 'too_large' });
    server.behave('silent.xy', { kind: 'silent' });
    assert.deepEqual(await ask('silent.xy', 200), { kind: 'failed', reason: 'timeout' });
    server.behave('drip.xy', { kind: 'drip' });
    assert.deepEqual(await ask('drip.xy', 200), { kind: 'failed', reason: 'timeout' });
    const signal = AbortSignal.abort();
    const aborted = await whois.registeredAt('silent.xy', { atMs: nowMs + 5_000, signal });
    assert.deepEqual(aborted, { kind: 'failed', reason: 'aborted' });
  });

  it('a question by WHOIS never reaches a private address that is not exempt, by address or by name', async () => {
    const before = server.questions.length;
    const guarded = createWhois({
      now,
      offline: false,
      resolve: () => Promise.resolve(['127.0.0.1']),
      servers: [row('xy'), row('name', 'whois.example')],
    });
    for (const name of ['a.xy', 'a.name']) {
      const answer = await guarded.registeredAt(name, { atMs: nowMs + 5_000 });
      assert.deepEqual(answer, { kind: 'failed', reason: 'blocked_address' });
    }
    assert.equal(server.questions.length, before);
  });

  it('a question by WHOIS is not put to a server that failed five times, until a minute has passed', async () => {
    server.behave('big.xy', { kind: 'endless' });
    for (let count = 0; count < 5; count++) await ask('big.xy');
    assert.deepEqual(await ask('absent.xy'), { kind: 'failed', reason: 'breaker_open' });
    nowMs += 60_000;
    assert.deepEqual(await ask('absent.xy'), { kind: 'none' });
  });

  it('a question by WHOIS is not put offline', async () => {
    const before = server.questions.length;
    const away = createWhois({ now, offline: true, servers: [row('xy')] });
    assert.deepEqual(await away.registeredAt('a.xy', { atMs: nowMs + 5_000 }), { kind: 'failed', reason: 'offline' });
    assert.equal(server.questions.length, before);
  });
});
