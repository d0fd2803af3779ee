import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testLists } from '../../test/lists/test-lists.ts';

const date = '2026-01-02T00:00:00.000Z';
const lists = testLists({
  packages: {
    fakefilter: ['strong.com', 'relay.com'],
    mailchecker: ['weak.com', 'strong.com'],
    freemail: ['free.com'],
  },
  curated: {
    relays: [{ domain: 'relay.com', service: 'Relay', subdomains: false }],
    boundaries: [{ suffix: 'mooo.com', category: 'ddns' }],
    allowlist: ['strong.com'],
    neverFlag: ['known.com'],
    tldTrust: { default: 1, countryDefault: 2, entries: new Map([['rated.uk', 4]]) },
  },
  operator: { spam: ['weak.com'], public: ['own.com'], relay: ['own.com'] },
});

const said = (name: string) => lists.namedBy(name).map(({ source, says, entry }) => `${source}: ${entry} is ${says}`);

describe('the sources that name a domain', () => {
  it('the sources that name a domain come with the entry that matched and the date of their edition', () => {
    assert.deepEqual(lists.namedBy('x.strong.com'), [
      { source: 'fakefilter', says: 'disposable', entry: 'strong.com', date },
      { source: 'mailchecker', says: 'disposable', entry: 'strong.com', date },
      { source: 'data/allowlist.json', says: 'allowed', entry: 'strong.com', date: null },
    ]);
  });

  for (const [name, expected] of [
    ['weak.com', ['operator: weak.com is spam', 'mailchecker: weak.com is disposable']],
    ['relay.com', ['fakefilter: relay.com is disposable', 'data/relays.json: relay.com is relay']],
    // A relay without relay subdomains, a public service and a suffix say nothing about other names.
    ['x.relay.com', ['fakefilter: relay.com is disposable']],
    ['free.com', ['freemail: free.com is public']],
    ['x.free.com', []],
    ['own.com', ['operator: own.com is public', 'operator: own.com is relay']],
    ['x.own.com', ['operator: own.com is relay']],
    ['x.mooo.com', ['data/free-subdomains.json: mooo.com is free_subdomain']],
    ['mooo.com', []],
    // Names that are rated or protected are not named.
    ['x.rated.uk', []],
    ['known.com', []],
    ['unlisted.com', []],
  ] as const) {
    it(`the sources that name a domain are ${expected.length === 0 ? 'none' : expected.join(', ')} for ${name}`, () => {
      assert.deepEqual(said(name), expected);
    });
  }
});
