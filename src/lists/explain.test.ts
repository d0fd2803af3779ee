import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testLists } from '../../test/lists/test-lists.ts';

const lists = testLists({
  packages: {
    fakefilter: ['strong.com', 'relay.com', 'fine.com'],
    mailchecker: ['weak.com', 'strong.com', 'a.mooo.com', 'copied.com'],
    'burner-email-providers': ['copied.com'],
    freemail: ['free.com'],
  },
  curated: {
    relays: [{ domain: 'relay.com', service: 'Relay', subdomains: false }],
    boundaries: [{ suffix: 'mooo.com', category: 'ddns' }],
    allowlist: ['strong.com', 'fine.com'],
    overrule: ['fine.com'],
    tldTrust: { default: 1, countryDefault: 2, entries: new Map([['rated.uk', 4]]) },
  },
  operator: { spam: ['weak.com'], public: ['weak.com'] },
});

function said(list: Parameters<typeof lists.explain>[0], name: string): string[] {
  return lists.explain(list, name).map(({ source, entry }) => `${source}: ${entry}`);
}

describe('an explanation', () => {
  it('an explanation names every source, the entry that matched and the date of the list', () => {
    assert.deepEqual(lists.explain('disposable', 'x.strong.com')[0], {
      source: 'fakefilter',
      detail: 'lists it as disposable',
      entry: 'strong.com',
      date: '2026-01-02T00:00:00.000Z',
    });
    assert.deepEqual(said('disposable', 'x.strong.com'), [
      'fakefilter: strong.com',
      'mailchecker: strong.com',
      'data/allowlist.json: strong.com',
    ]);
  });

  it('an explanation shows a single weak vote as evidence though the name is not disposable', () => {
    assert.equal(lists.isListed('disposable', 'weak.com'), false);
    assert.match(
      lists.explain('disposable', 'weak.com')[0]?.detail ?? '',
      /\(needs a second list to agree, unless names there cost nothing\)$/,
    );
  });

  it('an explanation says which list a copy repeats', () => {
    assert.deepEqual(
      lists.explain('disposable', 'copied.com').map(({ detail }) => detail),
      [
        'lists it as disposable (needs a second list to agree, unless names there cost nothing)',
        'lists it as disposable (no vote: it copies mailchecker)',
      ],
    );
  });

  it('an explanation says why a listed relay is not disposable', () => {
    assert.deepEqual(said('disposable', 'relay.com'), ['fakefilter: relay.com', 'data/relays.json: relay.com']);
    assert.deepEqual(said('relay', 'relay.com'), ['data/relays.json: relay.com']);
    assert.deepEqual(said('relay', 'x.relay.com'), []);
  });

  it('an explanation says why a name that a strong source lists is allowed all the same', () => {
    assert.deepEqual(
      lists.explain('disposable', 'fine.com').map(({ source, detail }) => `${source} ${detail}`),
      ['fakefilter lists it as disposable', 'data/allowlist.json allows it, even against a strong source'],
    );
  });

  it('an explanation names the suffix of a free subdomain, for its tenants only', () => {
    assert.deepEqual(said('free_subdomain', 'a.mooo.com'), ['data/free-subdomains.json: mooo.com']);
    assert.deepEqual(said('free_subdomain', 'mooo.com'), []);
  });

  it('an explanation names the suffix whose trust was rated, and the list by which its TLD exists', () => {
    assert.deepEqual(lists.explain('tld', 'x.example.com'), [
      { source: 'data/tld-trust.json', detail: 'rates it 1 of 5', entry: 'com' },
      { source: 'tlds', detail: 'the TLD exists (1.2.3)', entry: 'com', date: '2026-01-04T00:00:00.000Z' },
    ]);
    assert.equal(lists.explain('tld', 'a.rated.uk')[0]?.entry, 'rated.uk');
    assert.deepEqual(lists.explain('tld', 'example.nosuchtld'), []);
  });

  it("an explanation shows the operator's own entries first", () => {
    assert.deepEqual(said('spam', 'x.weak.com'), ['operator: weak.com']);
    assert.deepEqual(said('public', 'weak.com'), ['operator: weak.com']);
    assert.deepEqual(said('public', 'x.weak.com'), []);
    assert.deepEqual(said('public', 'free.com'), ['freemail: free.com']);
  });

  it('an explanation is empty for a name that no source lists', () => {
    for (const list of ['disposable', 'public', 'relay', 'free_subdomain', 'spam'] as const) {
      assert.deepEqual(lists.explain(list, 'unheard-of.com'), []);
    }
  });
});
