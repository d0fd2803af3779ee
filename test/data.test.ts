import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { getPublicSuffix } from 'tldts';
import {
  assertDomains,
  assertNone,
  assertSortedOnce,
  dataFiles,
  dataFolder,
  isSuffix,
  providerOf,
} from './data-files.ts';

const { relays, freeSubdomains, publicDomains, allowlist, neverFlag, brands, disposableDomains, roles, disposableMx } =
  dataFiles;
const brandDomains = brands.entries.flatMap((brand) => brand.domains);
const relayDomains = relays.entries.map((relay) => relay.domain);

describe('every file of entries', () => {
  for (const [name, file] of Object.entries(dataFiles)) {
    test(`${name} states its purpose and its sources`, () => {
      assert.ok(file.about.length > 40);
      assert.ok(file.sources.length > 0);
      assert.ok(file.sources.every((source) => source.length > 10));
    });
  }
  test('data/SOURCES.md names every JSON file of the folder', () => {
    const text = readFileSync(new URL('SOURCES.md', dataFolder), 'utf8');
    const missing = readdirSync(dataFolder).filter((name) => name.endsWith('.json') && !text.includes(`\`${name}\``));
    assert.deepEqual(missing, []);
  });
});

describe('relays', () => {
  test('curated relays are sorted domain names with a service and a rule for subdomains', () => {
    assertDomains(relayDomains);
    assertSortedOnce(relayDomains);
    assert.ok(relays.entries.every((relay) => relay.service !== '' && typeof relay.subdomains === 'boolean'));
    assert.ok(relays.entries.length >= 60);
  });
  test('curated relays include the widely used services', () => {
    for (const name of ['privaterelay.appleid.com', 'duck.com', 'mozmail.com', 'aleeas.com', 'passmail.net']) {
      assert.ok(relayDomains.includes(name), name);
    }
  });
  test('no curated relay is a disposable brand or a public suffix', () => {
    const disposable = new Set([...brandDomains, ...disposableDomains.entries]);
    assertNone(relayDomains, (name) => disposable.has(name) || isSuffix(name));
  });
});

describe('free subdomains', () => {
  const suffixes = freeSubdomains.entries.map((entry) => entry.suffix);
  const categoryOf = new Map(freeSubdomains.entries.map((entry) => [entry.suffix, entry.category]));
  test('curated free subdomains are sorted domain names in one of four categories', () => {
    assertDomains(suffixes);
    assertSortedOnce(suffixes);
    const known = new Set(['ddns', 'free_subdomain', 'hosting_platform', 'commercial']);
    assertNone(freeSubdomains.entries, (entry) => !known.has(entry.category));
    assert.ok(suffixes.length >= 1_000);
  });
  test('no curated free subdomain is a suffix that a registry runs', () => {
    assertNone(suffixes, (name) => getPublicSuffix(name, { allowPrivateDomains: false }) === name);
  });
  test('curated free subdomains distinguish dynamic DNS and free names from platforms and sold names', () => {
    for (const name of ['duckdns.org', 'ddns.net', 'dynv6.net', 'mooo.com', 'dedyn.io']) {
      assert.equal(categoryOf.get(name), 'ddns', name);
    }
    for (const name of ['eu.org', 'pp.ua', 'co.cc', 'wordpress.com', 'epizy.com']) {
      assert.equal(categoryOf.get(name), 'free_subdomain', name);
    }
    for (const name of ['github.io', 'netlify.app', 'pages.dev', 'vercel.app']) {
      assert.equal(categoryOf.get(name), 'hosting_platform', name);
    }
    for (const name of ['cloudfront.net', 'azurewebsites.net', 'myshopify.com', 'uk.com']) {
      assert.equal(categoryOf.get(name), 'commercial', name);
    }
  });
  test('no curated free subdomain is a mailbox domain, except the one that is both', () => {
    const mailboxes = new Set([...neverFlag.entries, ...publicDomains.entries]);
    assert.deepEqual(
      suffixes.filter((name) => mailboxes.has(name)),
      ['narod.ru'],
    );
  });
});

describe('public domains, allowlist and the names never flagged', () => {
  const all: readonly [string, readonly string[]][] = [
    ['public', publicDomains.entries],
    ['not public', publicDomains.remove],
    ['allowlist', allowlist.entries],
    ['never flag', neverFlag.entries],
  ];
  for (const [name, names] of all) {
    test(`${name} contains sorted domain names`, () => {
      assertDomains(names);
      assertSortedOnce(names);
    });
  }
  test('a public domain is not both added and removed', () => {
    const removed = new Set(publicDomains.remove);
    assertNone(publicDomains.entries, (name) => removed.has(name));
  });
  test('no mainstream or public domain is listed as disposable or relay', () => {
    const flagged = new Set([...brandDomains, ...disposableDomains.entries, ...relayDomains]);
    const trusted = [...neverFlag.entries, ...publicDomains.entries, ...allowlist.entries];
    assertNone(trusted, (name) => flagged.has(name));
  });
  test('every name that overrules a strong source is on the allowlist too', () => {
    assertSortedOnce(allowlist.overrule);
    assertNone(allowlist.overrule, (name) => !allowlist.entries.includes(name));
  });
  test('the names never flagged, public domains and the allowlist cover every region', () => {
    assert.ok(neverFlag.entries.length >= 150);
    for (const name of ['gmail.com', 'qq.com', 'naver.com', 'mail.ru', 'uol.com.br', 'gmx.de', 'bigpond.com']) {
      assert.ok(neverFlag.entries.includes(name), name);
    }
    for (const name of ['tuta.com', 'startmail.com', 'riseup.net'])
      assert.ok(publicDomains.entries.includes(name), name);
    for (const name of ['21cn.com', 'sify.com', 'dr.com', 'example.com']) {
      assert.ok(allowlist.entries.includes(name), name);
    }
  });
});

describe('disposable brands', () => {
  const providers = brands.entries.map((brand) => brand.provider);
  test('curated disposable brands have sorted domains, each under one brand', () => {
    assertSortedOnce(providers);
    for (const brand of brands.entries) {
      assertDomains(brand.domains);
      assertSortedOnce(brand.domains);
    }
    assert.equal(new Set(brandDomains).size, brandDomains.length);
    assert.ok(providers.length >= 80);
  });
  test('a curated disposable brand is named by its primary domain, which is one of its domains, or by an app store address', () => {
    for (const { provider, domains } of brands.entries) {
      assert.ok(domains.includes(provider) || /^https:\/\/(apps\.apple|play\.google)\.com\//.test(provider), provider);
    }
  });
  test('no curated disposable domain is a public suffix', () => {
    const suffixes = new Set(freeSubdomains.entries.map((entry) => entry.suffix));
    assertNone([...brandDomains, ...disposableDomains.entries], (name) => isSuffix(name) || suffixes.has(name));
  });
  test('curated single disposable domains are sorted, and none belongs to a brand', () => {
    assertDomains(disposableDomains.entries);
    assertSortedOnce(disposableDomains.entries);
    assertNone(disposableDomains.entries, (name) => brandDomains.includes(name));
  });
  test('curated disposable brands own the mail exchangers listed for them', () => {
    const hosts = disposableMx.entries.map((entry) => entry.mx);
    assertDomains(hosts);
    assertSortedOnce(hosts);
    assertNone(disposableMx.entries, (entry) => !providers.includes(entry.provider));
    assertNone(hosts, (host) => providerOf(host) !== null);
    assert.ok(hosts.length >= 30);
  });
});

describe('roles', () => {
  test('curated role names are sorted, lower-case local parts without a tag', () => {
    assertSortedOnce(roles.entries);
    const plain = /^[a-z0-9]+([._-][a-z0-9]+)*$/;
    const native = /^[\p{L}\p{M}]+(_[\p{L}\p{M}]+)*$/u;
    assertNone(roles.entries, (role) => !plain.test(role) && !(native.test(role) && role === role.normalize('NFKC')));
    assert.ok(roles.entries.length >= 500);
  });
  test('curated role names consist of sorted words and places, none of them in both', () => {
    for (const names of [roles.words, roles.places]) {
      assertSortedOnce(names);
      assertNone(names, (name) => !/^[a-z]{2,}$/.test(name));
    }
    assertNone(roles.places, (place) => roles.words.includes(place));
  });
  test('curated role names cover the large languages', () => {
    for (const role of ['datenschutz', 'impressum', 'facturation', 'privacidad', 'segreteria', 'klantenservice']) {
      assert.ok(roles.entries.includes(role), role);
    }
    for (const role of ['ksiegowosc', 'muhasebe', 'kundtjanst', 'objednavky', 'otoiawase', 'buhgalteria']) {
      assert.ok(roles.entries.includes(role), role);
    }
  });
});
