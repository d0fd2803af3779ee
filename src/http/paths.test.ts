import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { familyOfPath, pathOf, routableUrl } from './paths.ts';

describe('the family of a path', () => {
  it('the family of a path is told by its first segment', () => {
    const families = {
      '/v1': 'gates',
      '/v1/gates': 'gates',
      '/v0/gates/x/decisions': 'gates-v0',
      '/blocklist': 'blocklist',
      '/blocklist/bulk': 'blocklist',
      '/blocklisted': 'lookup',
      '/v12': 'lookup',
      '/domain/v1': 'lookup',
      '/': 'lookup',
      '': 'lookup',
    };
    for (const [path, family] of Object.entries(families)) assert.equal(familyOfPath(path), family, path);
  });
});

describe('a routable URL', () => {
  it('a routable URL always has a path that can be decoded, and keeps its query', () => {
    const text = fc.stringMatching(/^\/[a-z0-9%;+@./-]{0,40}(\?[a-z%=&]{0,10})?$/);
    fc.assert(
      fc.property(text, (url) => {
        const routable = routableUrl(url);
        decodeURIComponent(pathOf(routable));
        assert.equal(routable.slice(pathOf(routable).length), url.slice(pathOf(url).length));
      }),
    );
  });

  it('a routable URL is the URL itself when that can be decoded', () => {
    for (const url of ['/domain/a%2Fb', '/email/a%40b?x=%zz', '/status', '/domain/%25zz']) {
      assert.equal(routableUrl(url), url);
    }
  });
});
