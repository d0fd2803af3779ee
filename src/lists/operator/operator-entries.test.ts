import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testLists } from '../../../test/lists/test-lists.ts';

describe("the operator's entries win over ours", () => {
  const lists = () =>
    testLists({
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
      operator: {
        allow: ['strong.com', 'both.com', 'spammy.net'],
        disposable: ['relay.com', 'ours-allowed.com', 'both.com', 'amazonaws.com', 'free.com'],
        relay: ['listed.com'],
        public: ['weak.com', 'corner.com'],
        spam: ['spam.com', 'spammy.net'],
      },
      suggest: () => 'gmail.com',
    });

  it("the operator's disposable and allow entries decide, also below their names", () => {
    const { isListed } = lists();
    const yes = ['relay.com', 'x.relay.com', 'ours-allowed.com', 'x.ours-allowed.com', 'amazonaws.com', 'free.com'];
    for (const name of yes) assert.equal(isListed('disposable', name), true, name);
    const no = ['strong.com', 'x.strong.com', 'both.com', 'listed.com', 'weak.com', 'corner.com', 'x.s3.amazonaws.com'];
    for (const name of no) assert.equal(isListed('disposable', name), false, name);
  });

  it("a name on both the operator's relay and disposable lists is a relay, and not disposable", () => {
    const { isListed } = testLists({ operator: { relay: ['torn.com'], disposable: ['torn.com'] } });
    for (const name of ['torn.com', 'x.torn.com']) {
      assert.deepEqual([isListed('relay', name), isListed('disposable', name)], [true, false], name);
    }
  });

  it("the operator's relay entries decide, and their disposable entry overrides our own relay, also below their names", () => {
    const { isListed } = lists();
    assert.deepEqual(
      ['listed.com', 'x.listed.com', 'relay.com', 'x.relay.com'].map((name) => isListed('relay', name)),
      [true, true, false, false],
    );
  });

  it("the operator's public entries decide for the name itself, not below it", () => {
    const { isListed } = lists();
    const asked = ['corner.com', 'x.corner.com', 'weak.com', 'free.com'];
    assert.deepEqual(
      asked.map((name) => isListed('public', name)),
      [true, false, true, false],
    );
  });

  it("the operator's spam entries decide, unless the name is allowed", () => {
    const { isListed } = lists();
    assert.deepEqual(
      ['spam.com', 'x.spam.com', 'spammy.net', 'weak.com'].map((name) => isListed('spam', name)),
      [true, true, false, false],
    );
  });

  it('names that the operator lists are never suggested a correction', () => {
    const { suggest } = lists();
    assert.equal(suggest('corner.com'), null);
    assert.equal(suggest('unheard-of.com'), 'gmail.com');
  });
});
