import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { familyOfPath, targetOf } from './paths.ts';

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

describe('the target of a request', () => {
  it('the target of a request has its path and query as they were sent, decodable or not', () => {
    const path = fc.stringMatching(/^\/[a-z0-9%;+@./-]{0,40}$/);
    const query = fc.stringMatching(/^[a-z%=&?]{0,10}$/);
    fc.assert(
      fc.property(path, query, (ofPath, ofQuery) => {
        const target = targetOf(`${ofPath}?${ofQuery}#fragment`);
        assert.deepEqual(target, { path: ofPath, query: ofQuery });
      }),
    );
  });

  it('the target of a request has its path without host, query and fragment', () => {
    const paths = {
      '/domain/a%2Fb': '/domain/a%2Fb',
      '/email/a%40b?x=%zz': '/email/a%40b',
      '/status#x?y': '/status',
      '/domain/%25zz': '/domain/%25zz',
      '/domain/%zz': '/domain/%zz',
      'http://example.com/status?x': '/status',
      'HTTPS://example.com:8080?x': '',
      '*': '*',
    };
    for (const [url, path] of Object.entries(paths)) assert.equal(targetOf(url).path, path, url);
  });
});
