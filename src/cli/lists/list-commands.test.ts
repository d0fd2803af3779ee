import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type DownloadServer, startDownloadServer } from '../../../test/download-server.ts';
import { temporaryDirectory } from '../../../test/engines.ts';
import { until } from '../../../test/eventually.ts';
import { jsonInProcess, runInProcess } from '../../../test/run-in-process.ts';
import { shareSnapshot } from '../../../test/shared-snapshot.ts';
import { type Engine, openEngine } from '../../app/engine.ts';
import { readConfig } from '../../config.ts';
import type { Lists } from '../../lists/lists.ts';
import { createLog } from '../../log.ts';

interface Status {
  readonly counts: Readonly<Record<string, number>>;
  readonly sources: readonly {
    readonly name: string;
    readonly licence: string;
    readonly count: number;
    readonly old: boolean;
  }[];
  readonly downloads: readonly {
    readonly source: string;
    readonly enabled: boolean;
    readonly problem: string | null;
  }[];
  readonly ranks: { readonly source: string | null; readonly count: number; readonly seed_count: number };
  readonly operator: Readonly<Record<string, number>>;
  readonly problems: readonly object[];
}

const dataDir = temporaryDirectory();
const env = { DATA_DIR: dataDir };
const online = { ...env, OFFLINE: 'false' };
let engine: Engine;
let lists: Lists;
before(async () => {
  const log = createLog({ level: 'silent', isTerminal: false });
  shareSnapshot(dataDir);
  engine = await openEngine(readConfig({ ...env, OFFLINE: 'true' }), log);
  lists = engine.knowledge.lists;
});
after(() => engine.close());

describe('lists add and remove', () => {
  it('signalpost lists add and remove reach a running server, and say what changed [D240]', async () => {
    const added = await jsonInProcess(['lists', 'add', 'disposable', 'Mine.example', 'bin.example'], env);
    assert.deepEqual(added, { list: 'disposable', added: ['mine.example', 'bin.example'], unchanged: [] });
    await until(() => lists.isListed('disposable', 'x.mine.example'));
    const removed = await jsonInProcess(['lists', 'remove', 'disposable', 'mine.example', 'other.example'], env);
    assert.deepEqual(removed, { list: 'disposable', removed: ['mine.example'], unchanged: ['other.example'] });
    await until(() => !lists.isListed('disposable', 'x.mine.example'));
    assert.equal(lists.isListed('disposable', 'bin.example'), true);
  });

  it('signalpost lists add and remove apply to all of the domains or none, and name the wrong one', async () => {
    const { code, stdout, stderr } = await runInProcess(['lists', 'add', 'spam', 'good.example', 'bad..name'], env);
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(stderr, 'signalpost: "bad..name" is not a domain name. Nothing was changed\n');
    assert.equal((await jsonInProcess<Status>(['lists', 'status'], env)).operator.spam, 0);
  });

  it('signalpost lists entries shows what is on a list, and a file of an earlier version belongs to it', async () => {
    mkdirSync(join(dataDir, 'lists', 'operator'), { recursive: true });
    writeFileSync(join(dataDir, 'lists', 'operator', 'public.txt'), 'from-file.example\n');
    await jsonInProcess(['lists', 'add', 'public', 'added.example'], env);
    const shown = await jsonInProcess(['lists', 'entries', 'public'], env);
    assert.deepEqual(shown, { list: 'public', entries: ['added.example', 'from-file.example'] });
    const { stdout } = await runInProcess(['lists', 'entries', 'public'], env);
    assert.equal(stdout, 'added.example\nfrom-file.example\n');
  });

  it('signalpost lists add and remove refuse a suffix that strangers register under', async () => {
    const { code, stderr } = await runInProcess(['lists', 'add', 'disposable', 'duckdns.org'], env);
    assert.equal(code, 1);
    assert.match(stderr, /"duckdns\.org" is a public suffix/);
  });

  it('signalpost lists add and remove refuse the name of a list that does not exist', async () => {
    const { code, stderr } = await runInProcess(['lists', 'add', 'addresses', 'x.example'], env);
    assert.equal(code, 2);
    assert.match(stderr, /LIST is one of disposable, public, relay, spam, allow/);
  });

  it('signalpost lists add and remove store only the hash of an address, in its normalised form', async () => {
    await jsonInProcess(['lists', 'add-address', 'Jane.Doe+news@googlemail.com'], env);
    const kept = await engine.knowledge.ownEntries.of('addresses');
    assert.deepEqual(kept, [hash('sha256', 'janedoe@gmail.com')]);
    const checked = await jsonInProcess<{ disposable: boolean }[]>(
      ['check', 'janedoe@gmail.com', 'joedoe@gmail.com'],
      env,
    );
    assert.deepEqual(
      checked.map(({ disposable }) => disposable),
      [true, false],
    );
    await jsonInProcess(['lists', 'remove-address', 'janedoe@gmail.com'], env);
    assert.equal((await jsonInProcess<Status>(['lists', 'status'], env)).operator.addresses, 0);
    const { code, stderr } = await runInProcess(['lists', 'add-address', 'jane@@x'], env);
    assert.equal(code, 1);
    assert.match(stderr, /"jane@@x" is not an email address/);
  });
});

describe('lists status', () => {
  it('signalpost lists status marks editions of more than 30 days, and not our own files, which have no date', async () => {
    const { sources } = await jsonInProcess<Status>(['lists', 'status'], env);
    const old = sources.filter((source) => source.old).map(({ name }) => name);
    assert.ok(old.includes('freemail'), old.join());
    assert.ok(!old.includes('data/relays.json'), old.join());
    const { stdout } = await runInProcess(['lists', 'status'], env);
    assert.match(stdout, /^freemail .* days ago, old$/m);
  });

  it("signalpost lists status shows sources, downloads, ranks and the operator's entries", async () => {
    await jsonInProcess(['lists', 'add', 'allow', 'fine.example'], env);
    const status = await jsonInProcess<Status>(['lists', 'status'], env);
    const fakefilter = status.sources.find(({ name }) => name === 'fakefilter');
    assert.equal(fakefilter?.licence, 'BSD-3-Clause');
    assert.equal(status.downloads.find(({ source }) => source === 'tranco')?.enabled, false);
    assert.equal(status.ranks.source, null);
    assert.equal(status.operator.allow, 1);
    assert.deepEqual(status.problems, []);
    const { stdout } = await runInProcess(['lists', 'status'], env);
    assert.match(stdout, /^allow +1$/m);
    assert.match(
      stdout,
      /^Expected recall: about \d+ % of the disposable domains of the last half year are known \(newest edition: \d{4}-\d\d-\d\d\)$/m,
    );
    assert.match(stdout, /fakefilter +0\.1\.\d+ +\d+ +BSD-3-Clause/);
  });
});

describe('lists build', () => {
  it('signalpost lists build compiles the lists again', async () => {
    const built = await jsonInProcess<{ built_at: string; counts: Status['counts'] }>(['lists', 'build'], env);
    await until(() => lists.builtAt === built.built_at);
    assert.ok((built.counts.disposable ?? 0) > 10_000);
  });
});

describe('lists import-ranks', () => {
  it('signalpost lists import-ranks imports a ranking, and refuses a file that is none', async () => {
    const file = join(dataDir, 'ranking.csv');
    writeFileSync(file, Array.from({ length: 2_000 }, (_, index) => `${index + 1},site${index}.example`).join('\n'));
    assert.deepEqual(await jsonInProcess(['lists', 'import-ranks', file], env), { count: 2_000, wrong_lines: 0 });
    assert.equal((await jsonInProcess<Status>(['lists', 'status'], env)).ranks.source, 'ranking.csv');
    writeFileSync(file, '1,a.com\n');
    const { code, stderr } = await runInProcess(['lists', 'import-ranks', file], env);
    assert.equal(code, 1);
    assert.match(stderr, /1 rows, fewer than 1000/);
    assert.equal((await jsonInProcess<Status>(['lists', 'status'], env)).ranks.count, 2_000);
  });
});

describe('lists update', () => {
  let server: DownloadServer;
  before(async () => {
    server = await startDownloadServer();
    const choices = { 'tor-exits': { url: `${server.origin}/tor` }, 'icloud-relay': { url: `${server.origin}/relay` } };
    writeFileSync(join(dataDir, 'lists', 'refresh.json'), JSON.stringify(choices));
  });
  after(() => server.close());
  const update = (...words: string[]) =>
    runInProcess(['lists', 'update', ...words], { ...online, OUTBOUND_ALLOW: server.origin });

  it('signalpost lists update downloads, answers per source, and keeps standard output for the result', async () => {
    server.serve('/tor', '192.0.2.1\n');
    server.serve('/relay', '<html>', 'html');
    const { code, stdout, stderr } = await update('tor-exits', 'icloud-relay', '--json');
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), [
      { source: 'tor-exits', result: 'updated', count: 1, reason: null },
      { source: 'icloud-relay', result: 'refused', count: 0, reason: 'it is a web page, not a list' },
    ]);
    assert.match(stderr, /tor-exits: downloading\ntor-exits: updated, 1 entries\n/);
  });

  it('signalpost lists update fails when every source failed', async () => {
    const { code, stdout, stderr } = await update('icloud-relay');
    assert.equal(code, 1);
    assert.match(stdout, /icloud-relay +refused/);
    assert.match(stderr, /signalpost: no source could be updated: it is a web page/);
  });

  it('signalpost lists update never contacts a private address that the operator did not allow', async () => {
    const { code, stdout } = await runInProcess(['lists', 'update', 'tor-exits', '--json'], online);
    assert.equal(code, 1);
    assert.match(stdout, /"result":"failed","count":1/);
  });

  it('signalpost lists update does nothing offline', async () => {
    const asked = server.requests.get('/tor')?.count;
    const { code, stderr } = await runInProcess(['lists', 'update'], env);
    assert.equal(code, 1);
    assert.equal(stderr, 'signalpost: OFFLINE=true: nothing was downloaded and nothing was changed\n');
    assert.equal(server.requests.get('/tor')?.count, asked);
  });

  it('signalpost lists update refuses the name of a source that does not exist', async () => {
    const { code, stderr } = await update('tranko');
    assert.equal(code, 2);
    assert.match(stderr, /SOURCE is one of .*tranco.*, not "tranko"/);
  });
});
