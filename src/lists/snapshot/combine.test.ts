import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import words from '../../../data/throwaway-words.json' with { type: 'json' };
import { testLists } from '../../../test/lists/test-lists.ts';

const kept = 'disposable-domains';
const gathered = '@emailalias/disposable-email-detector';

describe('disposable', () => {
  const lists = testLists({
    packages: {
      'disposable-email-domains-js': [
        'strong.com',
        'relay.com',
        'allowed-strong.com',
        'overruled.com',
        'mx.overruled.com',
        'duckdns.org',
        'mooo.com',
        'sub.strong.de',
        'typo-strong.com',
      ],
      fakefilter: ['hosted.com', 'amazonaws.com', 'typo-served.com'],
      [kept]: [
        'kept.com',
        'kept.de',
        'kept.to',
        'tempmail-kept.de',
        'mail.temp.gov.to',
        'office.gov.to',
        'allowed.com',
        'mail.com',
        'alone.com',
        'x.allowed.com',
        'typo.com',
        'popular.com',
        'pair.com',
        'pair.to',
        'chain.com',
        'both.com',
        'sum.com',
      ],
      [gathered]: ['gathered.com', 'echo.com', 'x.popular.com', 'chain.com', 'both.com'],
      'is-burner-email': ['young.com', 'sum.com', 'pair.com'],
      mailchecker: [
        'one.to',
        'listed.mooo.com',
        'listed.github.io',
        'copied.com',
        'one.com',
        'temp-mail.com',
        'temperature.com',
        'echo.com',
        'kept.com',
        'allowed.com',
        'mail.com',
        'alone.com',
        'typo.com',
        'popular.com',
      ],
      'burner-email-providers': ['copied.com', 'pair.com', 'pair.to', 'chain.com'],
      'email-providers': [
        'mail.com',
        'alone.com',
        'free.com',
        'one.com',
        'mistake.com',
        'dead.nosuchtld',
        'gmail.to',
        'allowed.com',
      ],
      freemail: ['mail.com', 'free.com', 'mistake.com', 'a.mooo.com'],
    },
    curated: {
      relays: [
        { domain: 'relay.com', service: 'Relay', subdomains: false },
        { domain: 'aliases.com', service: 'Aliases', subdomains: true },
      ],
      boundaries: [
        { suffix: 'mooo.com', category: 'ddns' },
        { suffix: 'dyndns.org', category: 'ddns' },
        { suffix: 'github.io', category: 'hosting_platform' },
        { suffix: 'shop.mooo.com', category: 'commercial' },
      ],
      publicDomains: ['own.com'],
      notPublic: ['mistake.com'],
      allowlist: ['allowed.com', 'allowed-strong.com', 'overruled.com'],
      overrule: ['overruled.com'],
      disposableDomains: ['bin.aliases.com'],
      throwawaySuffixes: ['to'],
      tldTrust: { default: 1, countryDefault: 2, entries: new Map([['gov.to', 5]]) },
    },
    providers: { 'typo-served.com': ['service.com'] },
    suggest: (name) =>
      ['gmail.to', 'typo.com', 'typo-strong.com', 'typo-served.com'].includes(name) ? 'gmail.com' : null,
    rankOf: (registrable) => (registrable === 'popular.com' ? 5 : null),
  });
  const cases: readonly (readonly [string, boolean, string])[] = [
    ['strong.com', true, 'one strong source is enough'],
    ['a.b.strong.com', true, 'subdomains inherit'],
    ['strong.de', false, 'a parent does not'],
    ['kept.com', true, 'two votes that are no copies'],
    ['kept.de', false, 'a list has one vote'],
    ['kept.to', true, 'and two under a throwaway suffix'],
    ['tempmail-kept.de', true, 'or for a name that says of itself that its mail does not last'],
    ['temp-mail.com', true, 'for which one weak vote is enough too'],
    ['temperature.com', false, 'one such word alone says nothing'],
    ['tempmail-unlisted.com', false, 'nor does an unlisted name'],
    ['mail.temp.gov.to', false, 'nor one where registrants are vetted'],
    ['deep.kept.com', true, 'subdomains inherit votes too'],
    ['office.gov.to', false, 'but nowhere that registrants are vetted'],
    ['gathered.com', true, 'a list that gathers others is enough for a name that none of those has'],
    ['echo.com', false, 'and has no vote where it may repeat one of them'],
    ['one.com', false, 'one weak vote is evidence only'],
    ['one.to', true, 'and enough under a throwaway suffix'],
    ['listed.mooo.com', true, 'or below a suffix that gives names away'],
    ['listed.github.io', false, 'but not on a hosting platform'],
    ['copied.com', false, 'a list and its copy have one vote'],
    ['pair.com', false, 'whatever the number of copies'],
    ['pair.to', true, 'and the original keeps its vote'],
    ['chain.com', false, 'a copy of a copy has none'],
    ['both.com', true, 'a list that copies neither of the others has its own'],
    ['young.com', true, 'a sum of lists is enough for a name too young for the lists it adds up'],
    ['sum.com', false, 'and says nothing about a name that one of them has'],
    ['typo.com', false, 'a slip with a suggestion is a person who mistyped [D321]'],
    ['typo-strong.com', false, 'whichever source lists it'],
    ['typo-served.com', true, 'unless it is known which service it belongs to'],
    ['popular.com', false, 'so does a popular name'],
    ['x.popular.com', false, 'and what lies below it'],
    ['mail.com', false, 'weak votes do not count against a known public provider'],
    ['alone.com', true, 'one public package alone is no proof of a known provider'],
    ['allowed.com', false, 'the allowlist beats weak votes'],
    ['x.allowed.com', false, 'and covers subdomains'],
    ['allowed-strong.com', true, 'a strong source beats our allowlist'],
    ['overruled.com', false, 'but not the names that overrule it'],
    ['mx.overruled.com', false, 'nor what lies below them'],
    ['relay.com', false, 'a relay is never disposable'],
    ['x.relay.com', false, 'nor does its listing reach its subdomains'],
    ['bin.aliases.com', false, 'a listed alias domain is its relay'],
    ['duckdns.org', false, 'a public suffix is never an entry'],
    ['x.duckdns.org', false, 'so its tenants are not condemned'],
    ['mooo.com', false, 'a suffix of ours neither'],
    ['x.mooo.com', false, 'nor its tenants'],
    ['amazonaws.com', true, 'an entry above a public suffix counts for itself'],
    ['x.amazonaws.com', true, 'and for names of its own'],
    ['x.s3.amazonaws.com', false, 'but not below the public suffix'],
    ['unheard-of.com', false, 'nothing known'],
  ];
  for (const [name, expected, why] of cases) {
    it(`${name} is ${expected ? '' : 'not '}disposable: ${why}`, () =>
      assert.equal(lists.isListed('disposable', name), expected));
  }

  it('weaker lists count against a tenant of a free-subdomain service, though both public packages name it', () => {
    const names = ['mail-service.com', 'tenant.dyndns.org'];
    const { isListed } = testLists({
      packages: { [kept]: names, mailchecker: names, 'email-providers': names, freemail: names },
      curated: { boundaries: [{ suffix: 'dyndns.org', category: 'ddns' }] },
    });
    assert.deepEqual(
      names.map((name) => isListed('disposable', name)),
      [false, true],
    );
  });

  it('weaker lists count against a name below a domain, though both public packages name it', () => {
    const names = ['mail-service.com', 'tenant.hosting.com'];
    const { isListed } = testLists({
      packages: { [kept]: names, mailchecker: names, 'email-providers': names, freemail: names },
    });
    assert.deepEqual(
      names.map((name) => isListed('disposable', name)),
      [false, true],
    );
  });

  it('a domain is public when both packages name it, one and nothing against it, one and our allowlist, or our own table', () => {
    for (const name of ['mail.com', 'free.com', 'own.com', 'allowed.com'])
      assert.equal(lists.isListed('public', name), true, name);
    for (const name of [
      'x.mail.com',
      'alone.com',
      'one.com',
      'mistake.com',
      'dead.nosuchtld',
      'gmail.to',
      'a.mooo.com',
    ]) {
      assert.equal(lists.isListed('public', name), false, name);
    }
  });

  it('one weak vote is enough for a name that says in another language that its mail does not last', () => {
    const named = ['wegwerfmail.de', 'mail-jetable.com', 'correotemporal.org', 'docasnymail.net', 'gecicimail.com'];
    const voted = testLists({
      packages: { mailchecker: [...named, 'mail-plain.com'] },
      curated: { throwawayWords: { passing: words.entries, mail: words.mail } },
    });
    assert.deepEqual(
      [...named, 'mail-plain.com', 'mail-jetable.org'].filter((name) => voted.isListed('disposable', name)),
      named,
    );
  });

  it('no suggestion is made for a popular name', () => {
    const popular = testLists({
      suggest: () => 'gmail.com',
      rankOf: (name) => (name === 'mail-of-many.com' ? 5 : null),
    });
    assert.deepEqual(
      ['mail-of-many.com', 'gmial.com'].map((name) => popular.suggest(name)),
      [null, 'gmail.com'],
    );
  });

  it('only a certain suggestion is made for a name that has a rank or receives mail', () => {
    const suggest = (name: string, onlyCertain = false): string | null => {
      if (name === 'gmial.com') return 'gmail.com';
      return onlyCertain ? null : 'mynet.com';
    };
    const ranked = testLists({ suggest, rankOf: (name) => (name === 'new.com' ? null : 700_000) });
    assert.deepEqual(
      ['gmial.com', 'mybet.com', 'new.com'].map((name) => ranked.suggest(name)),
      ['gmail.com', null, 'mynet.com'],
    );
    assert.deepEqual([ranked.suggest('new.com', true), ranked.suggest('gmial.com', true)], [null, 'gmail.com']);
  });

  it('subdomains of a relay are relays only where its row says so', () => {
    assert.deepEqual(
      ['relay.com', 'x.relay.com', 'aliases.com', 'x.aliases.com', 'bin.aliases.com'].map((name) =>
        lists.isListed('relay', name),
      ),
      [true, false, true, true, true],
    );
  });

  it('a free subdomain is a tenant of dynamic DNS or of a hosting platform, never the suffix, never a name that is sold', () => {
    for (const name of ['x.mooo.com', 'a.b.mooo.com', 'x.dyndns.org', 'x.home.dyndns.org', 'x.github.io']) {
      assert.equal(lists.isListed('free_subdomain', name), true, name);
    }
    for (const name of ['mooo.com', 'dyndns.org', 'home.dyndns.org', 'github.io', 'x.shop.mooo.com', 'shop.mooo.com']) {
      assert.equal(lists.isListed('free_subdomain', name), false, name);
    }
  });

  it('a correction is suggested for a misspelling that lists picked up, never for a known name [D106]', () => {
    const all = testLists({
      packages: {
        'disposable-email-domains-js': ['gmial.com', 'brand.com'],
        'email-providers': ['free.com'],
        freemail: ['free.com'],
        fakefilter: ['served.com'],
      },
      providers: { 'served.com': ['service.com'] },
      curated: {
        brands: [{ provider: 'brand.com', domains: ['brand.com'] }],
        relays: [{ domain: 'relay.com', service: 'Relay', subdomains: false }],
        neverFlag: ['company.com'],
      },
      suggest: () => 'gmail.com',
    });
    for (const name of ['brand.com', 'free.com', 'served.com', 'relay.com', 'company.com']) {
      assert.equal(all.suggest(name), null, name);
    }
    assert.equal(all.suggest('gmial.com'), 'gmail.com');
    assert.equal(all.suggest('unheard-of.com'), 'gmail.com');
  });
});

describe('TLD trust', () => {
  const lists = testLists({
    curated: {
      tldTrust: {
        default: 1,
        countryDefault: 2,
        entries: new Map([
          ['bank', 5],
          ['co.uk', 3],
          ['gov.uk', 5],
        ]),
      },
      boundaries: [{ suffix: 'mooo.com', category: 'ddns' }],
    },
  });
  const cases: readonly (readonly [string, number | null])[] = [
    ['example.com', 1],
    ['example.de', 2],
    ['example.bank', 5],
    ['example.uk', 2],
    ['example.co.uk', 3],
    ['www.gov.uk', 5],
    ['gov.uk', 5],
    ['x.mooo.com', 1],
    ['example.nosuchtld', null],
  ];
  for (const [name, score] of cases) it(`${name} has ${score}`, () => assert.equal(lists.tldTrust(name), score));
});

describe('the build refuses its own mistakes', () => {
  it('the build of the lists refuses its own mistakes when our disposable files contain a public suffix', () => {
    assert.throws(() => testLists({ curated: { disposableDomains: ['duckdns.org'] } }), /duckdns\.org is a suffix/);
  });

  it('the build of the lists refuses its own mistakes when our relays contain a public suffix', () => {
    const relays = [{ domain: 'co.uk', service: 'x', subdomains: true }];
    assert.throws(() => testLists({ curated: { relays } }), /co\.uk is a suffix/);
  });
});

describe('the service behind a disposable domain', () => {
  const lists = testLists({
    packages: { fakefilter: ['host1.com', 'host2.com', 'host3.com', 'host4.com', 'static.com', 'big.net', 'free.com'] },
    providers: {
      'host1.com': ['small.net', 'big.net'],
      'host2.com': ['big.net'],
      'host3.com': ['alternate.com'],
      'host4.com': ['big.net', 'alternate.com'],
    },
    curated: { brands: [{ provider: 'brand.com', domains: ['brand.com', 'alternate.com'] }] },
  });
  const cases: readonly (readonly [string, string | null, string])[] = [
    ['alternate.com', 'brand.com', "an alternate domain is its brand's"],
    ['brand.com', 'brand.com', 'the primary domain too'],
    ['x.alternate.com', 'brand.com', 'and a subdomain'],
    ['host3.com', 'brand.com', "a service named by a brand's domain is the brand"],
    ['host1.com', 'big.net', 'of several the largest'],
    ['host4.com', 'brand.com', 'of several a brand'],
    ['big.net', 'big.net', 'a service operates its own domain'],
    ['static.com', null, 'no provider is named'],
    ['unheard-of.com', null, 'not disposable'],
  ];
  for (const [name, expected, why] of cases) {
    it(`the service behind the disposable domain ${name}: ${why}`, () =>
      assert.equal(lists.disposableProvider(name), expected));
  }
});

describe('role accounts', () => {
  const lists = testLists({ curated: { roles: ['info', 'datenschutz'] } });
  const cases: readonly (readonly [string, boolean])[] = [
    ['info', true],
    ['INFO', true],
    ['info+sales', true],
    ['+info', false],
    ['information', false],
    ['Datenschutz', true],
    ['jane', false],
  ];
  for (const [local, expected] of cases) it(`${local}: ${expected}`, () => assert.equal(lists.isRole(local), expected));
});
