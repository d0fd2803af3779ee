import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, it } from 'node:test';
import { AppError } from '../../errors.ts';
import { assertSameOrigin } from './same-origin.ts';

const origins = ['https://console.example'];
const json = { 'content-type': 'application/json; charset=utf-8' };
const own = { 'sec-fetch-site': 'same-origin' };

/** The error code of a request; null when it passes. */
function codeOf(method: string, headers: IncomingHttpHeaders, carriesBody = false): string | null {
  try {
    assertSameOrigin({ method, headers, carriesBody, origins });
    return null;
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error.code;
  }
}

describe('a request to the console', () => {
  const cases: readonly (readonly [string, string, IncomingHttpHeaders, boolean, string | null])[] = [
    ['reads from our own page', 'GET', own, false, null],
    ['reads from the address bar', 'GET', { 'sec-fetch-site': 'none' }, false, null],
    ['reads without fetch metadata', 'GET', {}, false, null],
    ['reads from another site', 'GET', { 'sec-fetch-site': 'cross-site' }, false, 'cross_site'],
    ['reads from a sibling domain', 'GET', { 'sec-fetch-site': 'same-site' }, false, 'cross_site'],
    ['writes JSON from our own page', 'POST', { ...own, ...json }, true, null],
    ['writes without a body', 'DELETE', own, false, null],
    ['writes from the address bar', 'POST', { 'sec-fetch-site': 'none', ...json }, true, 'cross_site'],
    [
      'writes with our origin and no fetch metadata',
      'POST',
      { origin: 'https://console.example', ...json },
      true,
      null,
    ],
    ['writes with another origin', 'POST', { origin: 'https://evil.example', ...json }, true, 'cross_site'],
    ['writes with our origin over another scheme', 'POST', { origin: 'http://console.example' }, false, 'cross_site'],
    ['writes without any origin', 'POST', json, true, 'cross_site'],
    ['writes a form', 'POST', { ...own, 'content-type': 'text/plain' }, true, 'unsupported_media_type'],
    [
      'writes a type that only begins like JSON',
      'POST',
      { ...own, 'content-type': 'application/jsonx' },
      true,
      'unsupported_media_type',
    ],
  ];
  for (const [name, method, headers, carriesBody, expected] of cases) {
    it(`that ${name} is ${expected === null ? 'accepted' : `rejected with ${expected}`}`, () =>
      assert.equal(codeOf(method, headers, carriesBody), expected));
  }
});
