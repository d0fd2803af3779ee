import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { domainToASCII } from 'node:url';
import { getPublicSuffix } from 'tldts';
import { type EditionState, editionProblems, editionReport } from '../scripts/edition-report.ts';
import { keptEditions } from '../scripts/kept-editions.ts';
import { familyProblems } from '../scripts/list-families.ts';
import { root } from '../scripts/test-files.ts';
import { readPackage } from '../src/lists/sources/read-packages.ts';
import { packageSources } from '../src/lists/sources/source-catalogue.ts';
import {
  asciiTlds,
  assertDomains,
  assertNone,
  assertSortedOnce,
  dataFiles,
  isDomain,
  providerOf,
} from './data-files.ts';
import { temporaryDirectory } from './engines.ts';

const { tldTrust: trust, mxProviders, rankSeed, asnClasses } = dataFiles;

/** The score of the longest suffix in the table, or the default of the TLD's kind. */
function trustOf(name: string): number | null {
  const labels = name.split('.');
  for (let from = 0; from < labels.length; from += 1) {
    const score = trust.entries[labels.slice(from).join('.')];
    if (score !== undefined) return score;
  }
  const tld = labels.at(-1) ?? '';
  if (!asciiTlds.has(tld)) return null;
  return tld.length === 2 ? trust.countryDefault : trust.default;
}

describe('TLD trust', () => {
  const suffixes = Object.keys(trust.entries);
  test('TLD trust is a sorted table of ASCII suffixes under TLDs that exist, scored 1 to 5', () => {
    assertSortedOnce(suffixes);
    assertNone(suffixes, (suffix) => !asciiTlds.has(suffix) && !isDomain(suffix));
    for (const score of [trust.default, trust.countryDefault, ...Object.values(trust.entries)]) {
      assert.ok(Number.isInteger(score) && score >= 1 && score <= 5);
    }
  });
  test('TLD trust scores every TLD, and nothing else', () => {
    assertNone([...asciiTlds], (tld) => trustOf(tld) === null);
    assert.equal(trustOf('example.nosuchtld'), null);
  });
  test('TLD trust scores an internationalised country code by name, not by the default for generic TLDs', () => {
    for (const tld of ['рф', '中国', 'भारत', '한국', 'ελ']) assert.ok(suffixes.includes(domainToASCII(tld)), tld);
  });
  const cases: readonly [string, number][] = [
    ['example.com', 1],
    ['example.xyz', 1],
    ['example.fr', 2],
    ['example.ar', 2],
    ['example.co.uk', 2],
    ['example.ca', 3],
    ['example.no', 4],
    ['example.com.au', 4],
    ['example.co.jp', 4],
    ['example.bank', 5],
    ['example.gov', 5],
    ['example.edu', 5],
    ['example.mil', 5],
    ['example.gov.uk', 5],
    ['example.ac.uk', 5],
    ['example.edu.au', 5],
    ['example.edu.pl', 2],
    ['example.gob.mx', 5],
  ];
  for (const [name, score] of cases) test(`${name} has ${score}`, () => assert.equal(trustOf(name), score));
});

describe('MX providers', () => {
  const slugs = mxProviders.entries.map((provider) => provider.slug);
  test('MX providers have sorted, well-formed slugs, and a known type and grade [D90]', () => {
    assertSortedOnce(slugs);
    assertNone(slugs, (slug) => !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(slug));
    const types = new Set(['mailbox', 'hosting', 'email_api', 'security_gateway', 'forwarding']);
    const grades = new Set(['enterprise', 'professional', 'standard', 'basic']);
    assertNone(mxProviders.entries, ({ type, grade, name }) => !types.has(type) || !grades.has(grade) || name === '');
    assert.ok(slugs.length >= 90);
  });
  test('every suffix belongs to one MX provider', () => {
    const suffixes = mxProviders.entries.flatMap((provider) => provider.mx);
    assert.equal(new Set(suffixes).size, suffixes.length);
    for (const provider of mxProviders.entries) {
      assert.ok(provider.mx.length > 0, provider.slug);
      assertDomains(provider.mx);
      assertNone(provider.mx, (suffix) => getPublicSuffix(suffix) === suffix);
      assertSortedOnce(provider.mx);
    }
  });
  test('every mailbox domain belongs to one MX provider', () => {
    const own = mxProviders.entries.flatMap((provider) => provider.own ?? []);
    assertDomains(own);
    assert.equal(new Set(own).size, own.length);
  });
  test('MX providers are graded by their offering', () => {
    const gradeOf = (slug: string) => mxProviders.entries.find((provider) => provider.slug === slug)?.grade;
    const slugs = ['mimecast', 'proofpoint', 'google', 'microsoft', 'hostpoint', 'improvmx'];
    const grades = ['enterprise', 'enterprise', 'professional', 'professional', 'standard', 'basic'];
    assert.deepEqual(slugs.map(gradeOf), grades);
  });
  const hosts: readonly [string, string | null][] = [
    ['aspmx.l.google.com', 'google'],
    ['smtp.google.com', 'google'],
    ['gmail-smtp-in.l.google.com', 'google'],
    ['alt1.gmr-smtp-in.l.google.com', 'google-domains'],
    ['example-com.mail.protection.outlook.com', 'microsoft'],
    ['hotmail-com.olc.protection.outlook.com', 'microsoft'],
    ['example-com.a-v1.mx.microsoft', 'microsoft'],
    ['mx.zoho.com', 'zoho'],
    ['mx0a-00000000.pphosted.com', 'proofpoint'],
    ['eu-smtp-inbound-1.mimecast.com', 'mimecast'],
    ['route1.mx.cloudflare.net', 'cloudflare'],
    ['inbound-smtp.eu-west-1.amazonaws.com', 'amazon'],
    ['ec2-192-0-2-1.eu-west-1.compute.amazonaws.com', null],
    ['mx.notgoogle.com', null],
    ['mail.example.org', null],
  ];
  for (const [host, slug] of hosts)
    test(`the mail host ${host} belongs to ${slug ?? 'no known provider'}`, () => assert.equal(providerOf(host), slug));
});

describe('rank seed', () => {
  const names = rankSeed.entries.map(([name]) => name);
  const ranks = rankSeed.entries.map(([, rank]) => rank);
  test('the rank seed contains unique registrable domains in rising rank', () => {
    assertDomains(names);
    assert.equal(new Set(names).size, names.length);
    assertNone(names, (name) => getPublicSuffix(name) !== name.slice(name.indexOf('.') + 1));
    assert.ok(ranks.every((rank, at) => Number.isInteger(rank) && rank > (ranks[at - 1] ?? 0)));
    assert.ok(names.length >= 300);
  });
  test('the rank seed starts with the most popular domains', () =>
    assert.deepEqual(rankSeed.entries[0], ['google.com', 1]));
});

describe('network classes', () => {
  const numbers = asnClasses.entries.map((entry) => entry.asn);
  test('network classes are sorted by number, unique, and in a known class', () => {
    assert.ok(numbers.every((asn, at) => Number.isInteger(asn) && asn > (numbers[at - 1] ?? 0) && asn < 2 ** 32));
    const classes = new Set(['hosting', 'vpn', 'cdn', 'isp', 'education', 'government', 'business', 'transit']);
    assertNone(asnClasses.entries, (entry) => !classes.has(entry.class) || entry.name === '');
    assert.ok(numbers.length >= 150);
  });
  test('network classes distinguish a cloud, a VPN network and an access provider', () => {
    const classOf = (asn: number): string | undefined => asnClasses.entries.find((entry) => entry.asn === asn)?.class;
    assert.deepEqual([16509, 9009, 13335, 7922, 174].map(classOf), ['hosting', 'vpn', 'cdn', 'isp', 'transit']);
  });
});

describe('families of lists', () => {
  const names = Array.from({ length: 10 }, (_, index) => `bin${index}.com`);
  const original = { name: 'original', names };
  const copy = { name: 'copy', names: [...names.slice(1), 'own-bin.com'] };
  const sources = (copies: readonly string[]) => [
    { name: 'original', kind: 'weak' as const },
    { name: 'copy', kind: 'weak' as const, copies },
  ];

  test('two lists that vote and share most of their names are reported as one family', () => {
    const problems = familyProblems(sources([]), [original, copy]);
    assert.deepEqual(problems, [
      "original and copy share 90 % of the smaller one's own names: declare which one copies the other",
    ]);
  });

  test('a declared copy, and lists that share few names, are no problem', () => {
    assert.deepEqual(familyProblems(sources(['original']), [original, copy]), []);
    const other = { name: 'copy', names: [...names.slice(5), 'a.com', 'b.com', 'c.com'] };
    assert.deepEqual(familyProblems(sources([]), [original, other]), []);
  });
});

describe('a data edition', () => {
  const before: EditionState = {
    sources: [{ name: 'fakefilter', version: '1', count: 2 }],
    disposable: ['old-bin.com', 'bin.com'],
    scores: [{ set: 'services.csv', field: 'disposable', positives: 9, found: 8 }],
    falsePositives: ['real.csv: known.com disposable'],
  };
  const after: EditionState = {
    sources: [{ name: 'fakefilter', version: '2', count: 3 }],
    disposable: ['bin.com', 'new-bin.com', 'other-bin.com'],
    scores: [{ set: 'services.csv', field: 'disposable', positives: 9, found: 9 }],
    falsePositives: ['real.csv: known.com disposable', 'real.csv: company.com disposable'],
  };

  test('a data edition that flags another real domain is refused', () => {
    assert.deepEqual(editionProblems(before, after), ['it adds a false positive: real.csv: company.com disposable']);
    assert.deepEqual(editionProblems(after, before), []);
  });

  test('data-edition.ts refuses a list that flags a real domain, and reports the domain', () => {
    const folder = temporaryDirectory();
    const source = packageSources.find(({ name }) => name === 'disposable-email-domains-js');
    assert.ok(source !== undefined);
    writeFileSync(join(folder, `${source.name}.txt`), [...readPackage(source).names, 'elte.hu'].join('\n'));
    const { status, stderr } = spawnSync(process.execPath, ['scripts/data-edition.ts', '--try', folder], {
      cwd: root,
      encoding: 'utf8',
    });
    const problem = 'bench/truth/real.csv: elte.hu disposable';
    assert.deepEqual([status, stderr], [1, `data-edition: refused, it adds a false positive: ${problem}\n`]);
    assert.ok(readFileSync(join(folder, 'REPORT.md'), 'utf8').includes(`- newly flagged: ${problem}\n`));
    rmSync(folder, { recursive: true });
  });

  test('a rolling list keeps eight editions besides the newest, and the oldest makes room for another', () => {
    const pins = (older: number) => ({
      rolling: '1.12.0',
      'rolling-other': '1.0.0',
      ...Object.fromEntries(Array.from({ length: older }, (_, index) => [`rolling-v1.${index + 4}.0`, ''])),
    });
    const kept = 'rolling-v1.12.0@npm:rolling@1.12.0';
    for (const older of [0, 4, 7]) assert.deepEqual(keptEditions('rolling', pins(older)), { kept, dropped: [] });
    assert.deepEqual(keptEditions('rolling', pins(8)), { kept, dropped: ['rolling-v1.4.0'] });
  });

  test('a data edition is reported with versions, changed verdicts, affected real domains and scores', () => {
    const report = editionReport(before, after);
    for (const line of [
      '| `fakefilter` | 1 | 2 | 2 | 3 |',
      '2 names become disposable, 1 no longer are.',
      '- gained, for example: new-bin.com, other-bin.com',
      '- lost, for example: old-bin.com',
      '- newly flagged: real.csv: company.com disposable',
      '- no longer flagged: none',
      '| services.csv | disposable | 8 | 9 of 9 |',
    ]) {
      assert.ok(report.split('\n').includes(line), `${line} is missing in\n${report}`);
    }
  });
});
