import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDomain } from '../address/domain.ts';
import { domainProblem } from './domain-problem.ts';

describe('domainProblem', () => {
  const cases: readonly (readonly [text: string, says: RegExp])[] = [
    ['', /no domain/],
    ['http://example.com', /scheme/],
    ['jane@example.com', /email address/],
    ['example.com/path', /path/],
    ['*.example.com', /star/],
    ['example.com:8080', /port/],
    ['example com', /blank/],
    ['a.example,b.example', /commas/],
    ['a_b.example', /underscore/],
    ['a..example', /dot too many/],
    ['.example.com', /dot too many/],
    ['localhost', /has a dot/],
    ['2001:db8::1', /IP address/],
    ['-a.example', /hyphen/],
    [`${'a'.repeat(64)}.example`, /invalid/],
    [`${'a.'.repeat(130)}example`, /too long/],
    ['example.123', /invalid/],
  ];
  for (const [text, says] of cases) {
    it(`domainProblem explains ${text.slice(0, 40) || 'an empty line'}: ${says.source}`, () => {
      assert.equal(parseDomain(text), null);
      assert.match(domainProblem(text), says);
    });
  }
});
