import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { until } from '../../../test/eventually.ts';
import { type RdapServer, startRdapServer } from '../../../test/rdap-server.ts';
import { createGuardedHttp } from '../http/guarded-http.ts';
import { createRdapBootstrap } from './rdap-bootstrap.ts';
import { findRdapServers, parseRdapBootstrap } from './rdap-bootstrap-document.ts';

const dayMs = 86_400_000;
const closers: (() => unknown)[] = [];
after(async () => {
  for (const close of closers) await close();
});

async function setUp() {
  const dataDir = await mkdtemp(join(tmpdir(), 'bootstrap-'));
  const server = await startRdapServer(['com', 'net']);
  const clock = { nowMs: Date.UTC(2026, 10, 15) };
  closers.push(server.close, () => rm(dataDir, { recursive: true }));
  const problems: string[] = [];
  const open = (url = server.bootstrapUrl) =>
    createRdapBootstrap({
      http: createGuardedHttp({ allowOrigins: [server.origin], offline: false }),
      url,
      dataDir,
      now: () => clock.nowMs,
      onProblem: (problem) => problems.push(problem),
    });
  return { dataDir, server, clock, open, problems };
}

const privateRegistry = JSON.stringify({
  version: '1.0',
  services: [[['com'], ['https://10.0.0.5/rdap/']]],
});

const fetches = (server: RdapServer) => server.requests.get('/bootstrap.json') ?? 0;

describe('the bootstrap document', () => {
  const read = (document: unknown) => parseRdapBootstrap(Buffer.from(JSON.stringify(document)));
  const services = [
    [
      ['com', 'NET'],
      ['http://old.example/', 'https://rdap.example/com'],
    ],
    [['uk'], ['https://rdap.example/uk/']],
    [['co.uk'], ['https://rdap.example/co/']],
    [['bad'], ['ftp://rdap.example/', 'not a url']],
  ];

  it('the RDAP bootstrap document leads to the server of the longest suffix, https first, with a trailing slash', () => {
    const servers = read({ version: '1.0', services });
    assert.ok(servers !== null);
    assert.deepEqual(findRdapServers(servers, 'example.com'), ['https://rdap.example/com/']);
    assert.deepEqual(findRdapServers(servers, 'example.net'), ['https://rdap.example/com/']);
    assert.deepEqual(findRdapServers(servers, 'example.co.uk'), ['https://rdap.example/co/']);
    assert.deepEqual(findRdapServers(servers, 'example.org.uk'), ['https://rdap.example/uk/']);
    assert.deepEqual(findRdapServers(servers, 'examplecom'), []);
    assert.deepEqual(findRdapServers(servers, 'example.bad'), []);
    assert.deepEqual(findRdapServers(servers, 'example.telecom'), []);
  });

  for (const server of [
    'http://127.0.0.1/',
    'https://10.1.2.3/rdap/',
    'https://[fd00::1]/',
    'http://0x7f.1/',
    'http://localhost:8080/',
    'https://intranet/',
    'https://rdap.corp.internal/',
  ]) {
    it(`the RDAP bootstrap document is read without ${server}`, () => {
      const more = [
        [['evil'], [server]],
        [['half'], [server, 'https://rdap.example/half']],
      ];
      const servers = read({ version: '1.0', services: [...services, ...more] });
      assert.ok(servers !== null);
      assert.deepEqual(findRdapServers(servers, 'example.evil'), []);
      assert.deepEqual(findRdapServers(servers, 'example.half'), ['https://rdap.example/half/']);
      assert.deepEqual(findRdapServers(servers, 'example.uk'), ['https://rdap.example/uk/']);
    });
  }

  it('the RDAP bootstrap document keeps three https servers of a service, or http servers where it has no others', () => {
    const secure = ['a', 'b', 'c', 'd'].map((host) => `https://${host}.example/`);
    const servers = read({
      version: '1.0',
      services: [
        [['com'], ['http://old.example/', ...secure]],
        [['org'], ['http://one.example/', 'http://two.example/']],
      ],
    });
    assert.deepEqual(servers?.get('com'), secure.slice(0, 3));
    assert.deepEqual(servers?.get('org'), ['http://one.example/', 'http://two.example/']);
  });

  const wrong = [[], {}, { services }, { version: '1.0' }, { version: '1.0', services: [] }, { version: 1, services }];
  const wrongServices = [
    [['com']],
    ['com', 'https://rdap.example/'],
    [[['com'], 'https://rdap.example/']],
    [[[5], []]],
  ];
  for (const document of [...wrong, ...wrongServices.map((one) => ({ version: '1.0', services: one }))]) {
    it(`the RDAP bootstrap document is refused when it is ${JSON.stringify(document).slice(0, 60)}`, () =>
      assert.equal(read(document), null));
  }
});

describe('the bootstrap', () => {
  it('the RDAP bootstrap is fetched once however many ask, and not again that day', async () => {
    const { open, server, clock } = await setUp();
    const bootstrap = open();
    const all = await Promise.all(Array.from({ length: 20 }, () => bootstrap.servers()));
    assert.ok(all.every((servers) => servers?.has('com')));
    clock.nowMs += dayMs - 1;
    await bootstrap.servers();
    assert.equal(fetches(server), 1);
  });

  it('the RDAP bootstrap survives a restart without the network', async () => {
    const { open, server, dataDir } = await setUp();
    await open().servers();
    await until(() => readFile(join(dataDir, 'rdap-bootstrap.json')).then(Boolean, () => false));
    server.setBootstrap('gone', 500);
    assert.ok((await open().servers())?.has('com'));
    assert.equal(fetches(server), 1);
  });

  it('the RDAP bootstrap is refreshed in the background after a day', async () => {
    const { open, server, clock } = await setUp();
    const bootstrap = open();
    await bootstrap.servers();
    server.setBootstrap({ version: '1.0', services: [[['org'], [`${server.origin}/`]]] });
    clock.nowMs += dayMs;
    assert.ok((await bootstrap.servers())?.has('com'), 'the old copy answers without waiting');
    await until(async () => (await bootstrap.servers())?.has('org') ?? false);
    assert.equal(fetches(server), 2);
  });

  for (const [name, body, status] of [
    ['an error', '{}', 500],
    ['HTML', '<!doctype html>', 200],
    ['an empty body', '', 200],
    ['an empty registry', '{"version":"1.0","services":[]}', 200],
    ['JSON nested without end', '['.repeat(200_000), 200],
    ['a server of a private network', privateRegistry, 200],
  ] as const) {
    it(`the RDAP bootstrap keeps the last good copy when the refresh brings ${name}, also over a restart`, async () => {
      const { open, server, clock, problems } = await setUp();
      const bootstrap = open();
      await bootstrap.servers();
      server.setBootstrap(body, status);
      clock.nowMs += dayMs;
      await bootstrap.servers();
      await until(() => problems.length === 1);
      assert.ok((await bootstrap.servers())?.has('com'));
      assert.equal(fetches(server), 2, 'a failed refresh is not repeated immediately');
      assert.ok((await open().servers())?.has('com'));
    });
  }

  it('the RDAP bootstrap refuses a large registry that shrank to less than half its size', async () => {
    const { open, server, clock, problems } = await setUp();
    const suffixes = Array.from({ length: 200 }, (_, index) => `tld${index}`);
    server.setBootstrap({ version: '1.0', services: [[suffixes, [`${server.origin}/`]]] });
    const bootstrap = open();
    await bootstrap.servers();
    server.setBootstrap({ version: '1.0', services: [[suffixes.slice(0, 99), [`${server.origin}/`]]] });
    clock.nowMs += dayMs;
    await bootstrap.servers();
    await until(() => problems.length === 1);
    assert.equal((await bootstrap.servers())?.size, 200);
  });

  it('the RDAP bootstrap is null while it cannot be obtained or is refused, and is requested again ten seconds later', async () => {
    const { open, server, clock } = await setUp();
    server.setBootstrap(privateRegistry);
    const bootstrap = open();
    assert.equal(await bootstrap.servers(), null);
    assert.equal(await bootstrap.servers(), null);
    assert.equal(fetches(server), 1);
    server.setBootstrap({ version: '1.0', services: [[['com'], [`${server.origin}/`]]] });
    clock.nowMs += 10_000;
    assert.ok((await bootstrap.servers())?.has('com'));
  });

  it('the RDAP bootstrap ignores a copy that is damaged, or came from another address', async () => {
    const { open, server, dataDir } = await setUp();
    const file = join(dataDir, 'rdap-bootstrap.json');
    await writeFile(file, '{"url":');
    assert.ok((await open().servers())?.has('com'));
    assert.equal(fetches(server), 1);
    const document = { version: '1.0', services: [[['old'], ['https://old.example/']]] };
    await writeFile(file, JSON.stringify({ url: 'https://elsewhere.example/', fetchedAtMs: Date.now(), document }));
    assert.ok((await open().servers())?.has('com'));
    assert.equal(fetches(server), 2);
  });
});
