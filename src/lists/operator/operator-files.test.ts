import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { madeUpLists } from '../../../test/lists/made-up-lists.ts';
import { readOperatorEntries } from './operator-entries.ts';
import { addOperatorEntries, operatorPath, readOperatorFile, removeOperatorEntries } from './operator-files.ts';

const root = mkdtempSync(join(tmpdir(), 'operator-'));
let folder = root;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});
after(() => rmSync(root, { recursive: true }));

describe("the operator's files", () => {
  it("the operator's files take names in any form and write them in one", async () => {
    const change = await addOperatorEntries(folder, 'disposable', [
      'Bad.Example.COM.',
      'müll.example',
      'bad.example.com',
    ]);
    assert.deepEqual(change, { changed: ['bad.example.com', 'xn--mll-hoa.example'], unchanged: [], problems: [] });
    assert.equal(readFileSync(operatorPath(folder, 'disposable'), 'utf8'), 'bad.example.com\nxn--mll-hoa.example\n');
  });

  it("the operator's files report what is no domain name or covers strangers, and take the rest", async () => {
    const change = await addOperatorEntries(folder, 'spam', ['no name', 'duckdns.org', 'com', 'fine.com']);
    assert.deepEqual(change.changed, ['fine.com']);
    assert.deepEqual(
      change.problems.map(({ text, reason }) => `${text}: ${reason}`),
      [
        'no name: not a domain name',
        'duckdns.org: a public suffix: strangers register under it',
        'com: not a domain name',
      ],
    );
  });

  it("the operator's files say line and text of a wrong line, and keep the others", () => {
    writeFileSync(operatorPath(folder, 'allow'), '# ours\n\ngood.com # since May\nnot a name\n  Other.com\n');
    const { entries, problems } = readOperatorFile(folder, 'allow');
    assert.deepEqual([...entries], ['good.com', 'other.com']);
    assert.deepEqual(problems, [{ list: 'allow', line: 4, text: 'not a name', reason: 'not a domain name' }]);
  });

  it("the operator's files keep comments and foreign lines through additions and removals", async () => {
    writeFileSync(operatorPath(folder, 'public'), '# ours\na.com # note\nB.com\nbroken line');
    await addOperatorEntries(folder, 'public', ['c.com', 'a.com']);
    const change = await removeOperatorEntries(folder, 'public', ['b.com', 'absent.com']);
    assert.deepEqual(change, { changed: ['b.com'], unchanged: ['absent.com'], problems: [] });
    assert.equal(readFileSync(operatorPath(folder, 'public'), 'utf8'), '# ours\na.com # note\nbroken line\nc.com\n');
  });

  it("the operator's files lose nothing when many change a list at once", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `name${index}.com`);
    await Promise.all(names.map((name) => addOperatorEntries(folder, 'relay', [name])));
    assert.deepEqual([...readOperatorFile(folder, 'relay').entries].sort(), names.sort());
    assert.deepEqual(readdirSync(folder), ['relay.txt']);
  });

  it("the operator's files are not blocked for ever by a process that died", async () => {
    const lock = `${operatorPath(folder, 'spam')}.lock`;
    writeFileSync(lock, '1\n');
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    assert.deepEqual((await addOperatorEntries(folder, 'spam', ['a.com'])).changed, ['a.com']);
  });

  it("the operator's files hold addresses as SHA-256 only", async () => {
    const hash = 'AB'.repeat(32);
    const change = await addOperatorEntries(folder, 'addresses', [hash, 'jane@example.com']);
    assert.deepEqual(change.changed, [hash.toLowerCase()]);
    assert.equal(change.problems[0]?.reason, 'not a SHA-256 in hexadecimal');
    const lists = madeUpLists({ operatorDir: folder });
    assert.equal(lists.hasDisposableAddresses, true);
    assert.equal(lists.isDisposableAddress(hash.toLowerCase()), true);
    assert.equal(madeUpLists({}).hasDisposableAddresses, false);
  });

  it("the operator's files are empty lists when they are missing", () => {
    const { counts, problems } = readOperatorEntries(join(folder, 'nowhere'));
    assert.deepEqual(counts, { disposable: 0, public: 0, relay: 0, spam: 0, allow: 0, addresses: 0 });
    assert.deepEqual(problems, []);
  });
});

describe("the operator's entries win over ours", () => {
  const lists = async () => {
    await addOperatorEntries(folder, 'allow', ['strong.com', 'both.com', 'spammy.net']);
    await addOperatorEntries(folder, 'disposable', [
      'relay.com',
      'ours-allowed.com',
      'both.com',
      'amazonaws.com',
      'free.com',
    ]);
    await addOperatorEntries(folder, 'relay', ['listed.com']);
    await addOperatorEntries(folder, 'public', ['weak.com', 'corner.com']);
    await addOperatorEntries(folder, 'spam', ['spam.com', 'spammy.net']);
    return madeUpLists({
      packages: {
        'disposable-email-domains-js': ['strong.com', 'listed.com'],
        mailchecker: ['weak.com'],
        'disposable-domains': ['weak.com'],
        freemail: ['free.com'],
        'email-providers': ['free.com'],
      },
      curated: {
        relays: [{ domain: 'relay.com', service: 'Relay', subdomains: true }],
        allowlist: ['ours-allowed.com'],
      },
      operatorDir: folder,
      suggest: () => 'gmail.com',
    });
  };

  it("the operator's disposable and allow entries decide, also below their names", async () => {
    const { isDisposable } = await lists();
    const yes = ['relay.com', 'x.relay.com', 'ours-allowed.com', 'x.ours-allowed.com', 'amazonaws.com', 'free.com'];
    for (const name of yes) assert.equal(isDisposable(name), true, name);
    const no = ['strong.com', 'x.strong.com', 'both.com', 'listed.com', 'weak.com', 'corner.com', 'x.s3.amazonaws.com'];
    for (const name of no) assert.equal(isDisposable(name), false, name);
  });

  it("a name on both the operator's relay and disposable lists is a relay, and not disposable", async () => {
    await addOperatorEntries(folder, 'relay', ['torn.com']);
    await addOperatorEntries(folder, 'disposable', ['torn.com']);
    const { isDisposable, isRelay } = madeUpLists({ operatorDir: folder });
    for (const name of ['torn.com', 'x.torn.com']) {
      assert.deepEqual([isRelay(name), isDisposable(name)], [true, false], name);
    }
  });

  it("the operator's relay entries decide, and their disposable entry overrides our own relay, also below their names", async () => {
    const { isRelay } = await lists();
    assert.deepEqual(['listed.com', 'x.listed.com', 'relay.com', 'x.relay.com'].map(isRelay), [
      true,
      true,
      false,
      false,
    ]);
  });

  it("the operator's public entries decide for the name itself, not below it", async () => {
    const { isPublic } = await lists();
    const asked = ['corner.com', 'x.corner.com', 'weak.com', 'free.com'];
    assert.deepEqual(asked.map(isPublic), [true, false, true, false]);
  });

  it("the operator's spam entries decide, unless the name is allowed", async () => {
    const { isSpam } = await lists();
    assert.deepEqual(['spam.com', 'x.spam.com', 'spammy.net', 'weak.com'].map(isSpam), [true, true, false, false]);
  });

  it('names that the operator lists are never suggested a correction', async () => {
    const { suggest } = await lists();
    assert.equal(suggest('corner.com'), null);
    assert.equal(suggest('unheard-of.com'), 'gmail.com');
  });
});
