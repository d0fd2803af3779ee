import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { until } from '../../test/eventually.ts';
import { buildFrom } from '../../test/lists/test-lists.ts';
import { shareSnapshot } from '../../test/shared-snapshot.ts';
import { type ListOptions, type Lists, openLists } from './lists.ts';
import { type OperatorEntry, operatorLists } from './operator/operator-list.ts';
import { readCurated } from './sources/curated.ts';
import { isPublicSuffix } from './sources/public-suffix.ts';
import { readPackages } from './sources/read-packages.ts';

const projectData = join(import.meta.dirname, '..', '..', 'data');
const root = mkdtempSync(join(tmpdir(), 'lists-'));
const logged: string[] = [];
const log = {
  info: (_: object, message: string) => void logged.push(message),
  warn: (_: object, message: string) => void logged.push(message),
};
const opened: Lists[] = [];

const strongList = 'disposable-email-domains-js';
const small = { [strongList]: ['mailinator.com', 'yopmail.com'], fakefilter: ['guerrillamail.com'] };

/** Opens lists with few names in a folder. */
async function open(folder: string, options: Partial<ListOptions> & { nowMs?: number } = {}) {
  const { nowMs = 1_800_000_000_000, ...rest } = options;
  const lists = await openLists({
    dataDir: join(root, folder),
    log,
    now: () => nowMs,
    build: buildFrom(small),
    ...rest,
  });
  opened.push(lists);
  return lists;
}

/** A data directory that has the snapshot already. */
function copyOf(folder: string): string {
  cpSync(join(root, 'main'), join(root, folder), { recursive: true });
  return folder;
}

function snapshotPath(folder: string): string {
  return join(root, folder, 'lists', 'snapshot.bin');
}

let lists: Lists;
before(async () => {
  lists = await open('main');
});
after(() => {
  rmSync(root, { recursive: true });
});

describe('the lists of the installed packages', () => {
  let lists: Lists;
  before(async () => {
    const dataDir = join(root, 'installed');
    mkdirSync(dataDir);
    shareSnapshot(dataDir);
    lists = await openLists({ dataDir, log, now: Date.now });
    opened.push(lists);
  });
  const packages = readPackages();
  const curated = readCurated(projectData);
  const strong = packages.filter(({ name }) => [strongList, 'fakefilter'].includes(name));
  const strongNames = [...new Set(strong.flatMap((list) => list.names))];
  const disposable = fc.constantFrom(...strongNames).filter((name) => lists.isListed('disposable', name));
  const labels = fc.array(fc.stringMatching(/^[a-z0-9]{1,10}$/), { minLength: 1, maxLength: 3 });

  it('the lists of the installed packages say when a name was first and last seen, where a source has it', () => {
    const fakefilter = packages.find(({ name }) => name === 'fakefilter');
    const [name = '', days = ''] = [...(fakefilter?.seen ?? [])][0] ?? [];
    const [first, last] = days.split('..');
    const evidence = lists.explain('disposable', name).find(({ source }) => source === 'fakefilter');
    assert.equal(evidence?.detail, `lists it as disposable, first seen ${first}, last seen ${last}`);
    assert.match(first ?? '', /^20\d\d-\d\d-\d\d$/);
  });

  it('the lists of the installed packages flag at least 99 % of the strong lists', () => {
    const found = strongNames.filter((name) => lists.isListed('disposable', name)).length;
    assert.ok(found / strongNames.length >= 0.99, `${found} of ${strongNames.length}`);
  });

  it('the lists of the installed packages flag at least 99 % of subdomains of the strong lists [Q24]', () => {
    const found = strongNames.filter((name, index) => lists.isListed('disposable', `a${index}.mx.${name}`)).length;
    assert.ok(found / strongNames.length >= 0.99, `${found} of ${strongNames.length}`);
  });

  it('the lists of the installed packages flag every subdomain of a disposable domain, with its service', () => {
    fc.assert(
      fc.property(disposable, labels, (name, below) => {
        const subdomain = `${below.join('.')}.${name}`;
        // A relay or suffix of its own may lie below a listed name.
        fc.pre(!lists.isListed('relay', subdomain) && !isPublicSuffix(subdomain));
        assert.equal(lists.isListed('disposable', subdomain), true, subdomain);
        assert.equal(lists.disposableProvider(subdomain), lists.disposableProvider(name));
      }),
    );
  });

  it('the lists of the installed packages flag no name that must never be flagged [Q25]', () => {
    const flagged = curated.neverFlag.filter(
      (name) => lists.isListed('disposable', name) || lists.isListed('spam', name),
    );
    assert.deepEqual(flagged, []);
  });

  it('the lists of the installed packages flag no relay as disposable, nor its aliases', () => {
    for (const { domain, subdomains } of curated.relays) {
      assert.equal(lists.isListed('relay', domain), true, domain);
      assert.equal(lists.isListed('disposable', domain), false, domain);
      assert.equal(lists.isListed('disposable', `alias.${domain}`), false, domain);
      assert.equal(lists.isListed('relay', `alias.${domain}`), subdomains, domain);
    }
  });

  it('the lists of the installed packages flag tenants of free-subdomain services and never the suffix', () => {
    for (const { suffix, category } of curated.boundaries) {
      const flags = category !== 'commercial';
      assert.equal(
        lists.isListed('free_subdomain', `tenant-of-ours.${suffix}`),
        flags && !isPublicSuffix(`tenant-of-ours.${suffix}`),
        suffix,
      );
      assert.equal(lists.isListed('free_subdomain', suffix), false, suffix);
      assert.equal(lists.isListed('disposable', suffix), false, suffix);
      assert.equal(lists.isListed('disposable', `tenant-of-ours.${suffix}`), false, suffix);
    }
  });

  it('the lists of the installed packages know brands, public services, roles and TLDs [D105]', () => {
    for (const { provider, domains } of curated.brands) {
      for (const domain of domains) assert.equal(lists.disposableProvider(domain), provider, domain);
    }
    for (const name of ['gmail.com', 'yahoo.com', 'gmx.de', ...curated.publicDomains]) {
      assert.equal(lists.isListed('public', name), true, name);
    }
    for (const name of curated.notPublic) assert.equal(lists.isListed('public', name), false, name);
    for (const role of ['info', 'support', 'Postmaster', ...curated.roles])
      assert.equal(lists.isRole(role), true, role);
    assert.equal(lists.tldTrust('example.com'), 1);
    assert.equal(lists.tldTrust('example.nosuchtld'), null);
  });

  it('the lists of the installed packages know role names with accents and in native script, and no person', () => {
    const roles = `büro geschäftsführung comptabilité réservations administración atención-al-cliente informações księgowość objednávky
      iletişim müşteri.hizmetleri ügyfélszolgálat kundtjänst vânzări продажи отдел-кадров πωλήσεις 客服 技术支持 お問い合わせ 営業部 고객센터 المبيعات
      תמיכה सहायता ฝ่ายขาย`;
    const people = `zoë jörg björn renée inès aidé maría núñez joão łukasz šárka özge ışıl zoltán åsa øyvind иван алексей.петров μαρία 王芳 鈴木一郎 지원
      محمد אברהם अमित สมชาย nguyễn.văn.an rené.vente müller.büro`;
    for (const [names, isRole] of [
      [roles, true],
      [people, false],
    ] as const) {
      for (const name of names.split(/\s+/)) assert.equal(lists.isRole(name), isRole, name);
    }
  });

  it('the lists of the installed packages know relays of marketplaces and booking sites, and regional mail services', () => {
    for (const name of [
      'guest.airbnb.com',
      'mail.kleinanzeigen.de',
      'members.ebay.fr',
      'property.booking.com',
      'leemail.me',
    ]) {
      assert.ok(lists.isListed('relay', name), name);
    }
    for (const name of ['posteo.lt', 'gmx.hk', 'aol.com.br', 'hansen.dk', 'mx1.tiki.ne.jp', 'monarchy.com']) {
      assert.ok(lists.isListed('public', name), name);
    }
    for (const name of ['hola.org', '99.com', 'royal.net', 'bolt.com'])
      assert.ok(!lists.isListed('disposable', name), name);
  });

  it('the lists of the installed packages say what they are made of', () => {
    const { sources, counts, operator } = lists.status();
    for (const { name, names } of packages) {
      assert.equal(sources.find((source) => source.name === name)?.count, names.length, name);
    }
    for (const source of sources) assert.ok(source.version !== '' && source.licence !== '', source.name);
    assert.ok((counts.disposable ?? 0) > 50_000);
    assert.deepEqual(Object.keys(operator).sort(), [...operatorLists].sort());
  });

  it('the lists of the installed packages correct misspellings, also those that lists picked up, and no known name', () => {
    assert.equal(lists.suggest('gmial.com'), 'gmail.com');
    assert.equal(lists.suggest('hotmial.com'), 'hotmail.com');
    const names = [...curated.neverFlag, ...curated.publicDomains, ...curated.relays.map((relay) => relay.domain)];
    assert.deepEqual(
      names.filter((name) => lists.suggest(name) !== null),
      [],
    );
  });
});

describe('the snapshot on disk', () => {
  it('the snapshot on disk is used unchanged while nothing changed', async () => {
    assert.equal(lists.builtAt, '2027-01-15T08:00:00.000Z');
    const again = await open(copyOf('unchanged'), { nowMs: 1_900_000_000_000 });
    assert.equal(again.builtAt, lists.builtAt);
  });

  // The format's own test has every other damage.
  it('the snapshot on disk is rebuilt when it was changed in one byte', async () => {
    const folder = copyOf('damaged');
    const bytes = readFileSync(snapshotPath(folder));
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(snapshotPath(folder), bytes);
    logged.length = 0;
    const again = await open(folder);
    assert.ok(logged.includes('lists: the snapshot is unusable; rebuilding it'), logged.join());
    assert.equal(again.isListed('disposable', 'mailinator.com'), true);
    assert.ok(readFileSync(snapshotPath(folder)).equals(readFileSync(snapshotPath('main'))), 'the same bytes');
  });

  it('the snapshot on disk is served from memory when it cannot be written', async () => {
    mkdirSync(snapshotPath('unwritable'), { recursive: true });
    logged.length = 0;
    const unwritten = await open('unwritable');
    assert.equal(unwritten.isListed('disposable', 'mailinator.com'), true);
    assert.ok(logged.includes('lists: could not write the snapshot; the next start rebuilds it'), logged.join());
    assert.deepEqual(readdirSync(join(root, 'unwritable', 'lists')), ['snapshot.bin']);
  });

  it('the snapshot on disk is rebuilt when a file of data/ changed, and the last good one stays when that fails', async () => {
    const folder = copyOf('changed data');
    const curatedDir = join(root, 'data');
    cpSync(projectData, curatedDir, { recursive: true });
    const entries = ['brand-new-throwaway.com'];
    writeFileSync(join(curatedDir, 'disposable-domains.json'), JSON.stringify({ about: '', sources: [], entries }));
    const changed = await open(folder, { curatedDir, nowMs: 1_900_000_000_000 });
    assert.equal(changed.isListed('disposable', 'brand-new-throwaway.com'), true);
    assert.notEqual(changed.builtAt, lists.builtAt);

    writeFileSync(join(curatedDir, 'disposable-domains.json'), JSON.stringify({ entries: ['gmail.com'] }));
    logged.length = 0;
    const status = await changed.reload();
    assert.equal(status.builtAt, changed.builtAt);
    assert.equal(changed.isListed('disposable', 'gmail.com'), false);
    assert.ok(
      logged.some((message) => message.includes('the last good one stays')),
      logged.join(),
    );
    await assert.rejects(changed.rebuild(), /they flag gmail\.com/);
  });

  it('the snapshot on disk uses a valid download instead of a package, and refuses a poisoned one', async () => {
    const folder = copyOf('downloads');
    const sources = join(root, folder, 'lists', 'sources');
    mkdirSync(sources, { recursive: true });
    writeFileSync(join(sources, `${strongList}.txt`), [...small[strongList], 'fresh-download.com'].join('\n'));
    writeFileSync(join(sources, 'fakefilter.txt'), '<!doctype html><title>502</title>');
    const downloaded = await open(folder);
    assert.equal(downloaded.isListed('disposable', 'fresh-download.com'), true);
    assert.match(downloaded.status().refusedDownloads.join(), /fakefilter\.txt: it is a web page/);
    assert.equal(downloaded.status().sources.find(({ name }) => name === 'fakefilter')?.version, '1');
  });
});

describe("the operator's entries", () => {
  it("the operator's entries are reloaded when they changed", async () => {
    const entries: OperatorEntry[] = [{ list: 'disposable', entry: 'throwaway.example.org' }];
    const own = await open(copyOf('operator'), { operator: { all: async () => entries } });
    assert.equal(own.isListed('disposable', 'x.throwaway.example.org'), true);
    entries.push({ list: 'allow', entry: 'mailinator.com' });
    assert.equal(own.isListed('disposable', 'mailinator.com'), true);
    await own.reloadEntries();
    assert.equal(own.isListed('disposable', 'mailinator.com'), false);
    assert.equal(own.isListed('disposable', 'x.throwaway.example.org'), true);
  });

  it("the operator's entries stay in use when they cannot be loaded, and are loaded later", async () => {
    let isAway = false;
    const entries: OperatorEntry[] = [{ list: 'spam', entry: 'spammer.example.org' }];
    const all = async () => {
      if (isAway) throw new Error('away');
      return [...entries];
    };
    const running = await open(copyOf('away'), { operator: { all } });
    isAway = true;
    entries.push({ list: 'spam', entry: 'other.example.org' });
    await running.reloadEntries();
    assert.deepEqual(
      ['spammer.example.org', 'other.example.org'].map((name) => running.isListed('spam', name)),
      [true, false],
    );
    isAway = false;
    await until(() => {
      running.poll();
      return running.isListed('spam', 'other.example.org');
    });
  });

  it("a new snapshot reaches a running server, the operator's entries survive it, and a broken one is not used", async () => {
    const folder = copyOf('running');
    const operator = { all: async () => [{ list: 'spam', entry: 'spammer.example.org' } as const] };
    const running = await open(folder, { operator });
    const beside = await open(folder, { operator, nowMs: 1_950_000_000_000 });
    await beside.rebuild();
    assert.equal(beside.isListed('spam', 'spammer.example.org'), true);
    running.poll();
    assert.equal(running.builtAt, beside.builtAt);
    assert.equal(running.isListed('spam', 'spammer.example.org'), true);

    writeFileSync(snapshotPath(folder), 'garbage');
    const kept = () => logged.some((message) => message.includes('the last good lists stay'));
    running.poll();
    assert.equal(kept(), true);
    assert.equal(running.isListed('disposable', 'mailinator.com'), true);
  });
});
