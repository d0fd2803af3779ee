import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GuardedHttpError } from './guarded-http-error.ts';
import { parseTarget, redirectTarget } from './redirect-target.ts';

const notExempt = () => false;
const reason = (expected: string) => (error: unknown) => error instanceof GuardedHttpError && error.reason === expected;
const from = new URL('https://example.com/a/b?c');

describe('a redirect', () => {
  it('an HTTP redirect is resolved against the page it came from', () => {
    assert.equal(redirectTarget(from, '../d', notExempt).href, 'https://example.com/d');
    assert.equal(redirectTarget(from, '//example.org/', notExempt).href, 'https://example.org/');
  });

  it('an HTTP redirect must not lead from https to http, unless the operator exempted the origin', () => {
    assert.throws(() => redirectTarget(from, 'http://example.com/', notExempt), reason('bad_redirect'));
    const exempt = (origin: string) => origin === 'http://example.com:80';
    assert.equal(redirectTarget(from, 'http://example.com/', exempt).href, 'http://example.com/');
    const plain = new URL('http://example.com/');
    assert.equal(redirectTarget(plain, 'http://example.org/', notExempt).href, 'http://example.org/');
  });

  for (const location of [
    undefined,
    'file:///etc/passwd',
    'gopher://example.com/',
    'http://',
    'https://u:p@example.com/',
  ]) {
    it(`an HTTP redirect is refused when it leads to ${location}`, () => {
      assert.throws(() => redirectTarget(from, location, notExempt), reason('bad_redirect'));
    });
  }
});

describe('a URL to ask', () => {
  for (const url of ['', 'example.com', 'ftp://example.com/', 'https://user@example.com/', 'data:text/plain,x']) {
    it(`a URL to ask is refused when it is "${url}"`, () => assert.throws(() => parseTarget(url), reason('bad_url')));
  }
});
