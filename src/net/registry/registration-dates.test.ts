import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type RdapServer, startRdapServer } from '../../../test/rdap-server.ts';
import { type FakeWhoisServer, startWhoisServer } from '../../../test/whois-server.ts';
import { createGuardedHttp, type GuardedHttp } from '../http/guarded-http.ts';
import { createRdap } from './rdap.ts';
import { createRegistrationDates, type RegistrationDatesOptions } from './registration-dates.ts';
import { createWhois } from './whois.ts';

const now = () => Date.UTC(2026, 10, 15);
const registeredAtMs = Date.UTC(2001, 0, 1);
let dataDir: string;
let rdapServer: RdapServer;
let whoisServer: FakeWhoisServer;
let http: GuardedHttp;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'registry-'));
  rdapServer = await startRdapServer(['test']);
  whoisServer = await startWhoisServer();
  http = createGuardedHttp({ allowOrigins: [rdapServer.origin], offline: false });
});
after(async () => {
  http.close();
  await rdapServer.close();
  await whoisServer.close();
  await rm(dataDir, { recursive: true });
});

function open(options: Partial<RegistrationDatesOptions> = {}, bootstrapUrl = rdapServer.bootstrapUrl) {
  const host = '127.0.0.1';
  const { port } = whoisServer;
  const servers = ['xy', 'test'].map((suffix) => ({ suffix, host, port, label: 'created', format: 'YYYY-MM-DD' }));
  const allowOrigins = [`whois://${host}:${port}`];
  return createRegistrationDates({
    rdap: createRdap({ http, url: bootstrapUrl, dataDir: join(dataDir, encodeURIComponent(bootstrapUrl)), now }),
    whois: createWhois({ now, offline: false, allowOrigins, servers }),
    now,
    ...options,
  });
}

describe('the registry', () => {
  it('the source of registration dates uses RDAP where there is RDAP, and only there', async () => {
    rdapServer.behave('a.test', { kind: 'registered', at: '2001-01-01T00:00:00Z' });
    const found = await open().registrationDate('a.test');
    assert.deepEqual(found, { kind: 'found', registeredAtMs, source: 'rdap', server: '127.0.0.1' });
    rdapServer.behave('failing.test', { kind: 'error' });
    assert.equal((await open().registrationDate('failing.test')).kind, 'failed');
    assert.deepEqual(whoisServer.questions, []);
  });

  it('the source of registration dates uses WHOIS where there is no RDAP, or no bootstrap [D98]', async () => {
    whoisServer.behave('a.xy', 'created: 2001-01-01\r\n');
    const found = { kind: 'found', registeredAtMs, source: 'whois', server: '127.0.0.1' };
    assert.deepEqual(await open().registrationDate('a.xy'), found);
    assert.deepEqual(await open({}, `${rdapServer.origin}/missing`).registrationDate('a.xy'), found);
  });

  it('the source of registration dates has no date where there is neither, and fails where that is unknown', async () => {
    assert.deepEqual(await open().registrationDate('a.zz'), { kind: 'none' });
    const blind = await open({}, `${rdapServer.origin}/missing`).registrationDate('a.zz');
    assert.deepEqual(blind, { kind: 'failed', reason: 'no_bootstrap' });
  });

  it('concurrent lookups of a registration date share one query, and later ones query again', async () => {
    rdapServer.behave('busy.test', { kind: 'registered', at: '2001-01-01T00:00:00Z' });
    const dates = open();
    const answers = await Promise.all(Array.from({ length: 200 }, () => dates.registrationDate('busy.test')));
    assert.ok(answers.every((answer) => answer.kind === 'found'));
    assert.equal(rdapServer.requests.get('/rdap/domain/busy.test'), 1);
    await dates.registrationDate('busy.test');
    assert.equal(rdapServer.requests.get('/rdap/domain/busy.test'), 2);
  });

  it('registration dates have at most eight queries in progress and a bounded queue; further lookups are refused', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `n${index}.test`);
    let pending = 0;
    let most = 0;
    const rdap = {
      async registeredAt() {
        most = Math.max(most, ++pending);
        await new Promise((resolve) => setImmediate(resolve));
        pending--;
        return { kind: 'none' } as const;
      },
      broken: () => 0,
    };
    const dates = open({ rdap, queueMax: 20 });
    const asked = names.map((name) => dates.registrationDate(name));
    assert.deepEqual(dates.load(), { running: 8, waiting: 20, broken: 0 });
    const answers = await Promise.all(asked);
    assert.equal(answers.filter((answer) => answer.kind === 'none').length, 28);
    assert.equal(answers.filter((answer) => answer.kind === 'failed' && answer.reason === 'busy').length, 12);
    assert.equal(most, 8);
    assert.deepEqual(dates.failures(), { busy: 12 });
    assert.deepEqual(dates.load(), { running: 0, waiting: 0, broken: 0 });
  });

  it('the source of registration dates releases its slot when a query throws', async () => {
    const rdap = { registeredAt: () => Promise.reject(new Error('bug')), broken: () => 0 };
    const dates = open({ rdap, maxConcurrent: 1 });
    const asked = ['a.test', 'b.test'].map((name) => dates.registrationDate(name));
    for (const answer of await Promise.allSettled(asked)) assert.equal(answer.status, 'rejected');
    assert.deepEqual(dates.load(), { running: 0, waiting: 0, broken: 0 });
  });

  it('registration dates are not queried offline', async () => {
    const answer = await open({ offline: true }).registrationDate('offline.test');
    assert.deepEqual(answer, { kind: 'failed', reason: 'offline' });
    assert.equal(rdapServer.requests.get('/rdap/domain/offline.test'), undefined);
  });
});
