import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPublicSuffix } from './public-suffix.ts';
import { suffixParents, suffixRules } from './suffix-rules.ts';

describe('the rules of the public suffix list', () => {
  const rules = suffixRules();

  it('the rules of the public suffix list are complete: ICANN, private and wildcard ones', () => {
    assert.ok(rules.length > 8_000, `${rules.length} rules`);
    for (const rule of ['com', 'co.uk', 'duckdns.org', 'github.io', '*.ck', 's3.amazonaws.com']) {
      assert.ok(rules.includes(rule), rule);
    }
  });

  it('the rules of the public suffix list are suffixes to the library that answers for single names', () => {
    const wrong = rules.map((rule) => rule.replaceAll('*', 'anything')).filter((rule) => !isPublicSuffix(rule));
    assert.deepEqual(wrong, []);
  });

  it('the rules of the public suffix list tell which names have a suffix below them', () => {
    const parents = suffixParents();
    for (const name of ['uk', 'amazonaws.com', 'ck', 'dyndns.org']) assert.ok(parents.has(name), name);
    for (const name of ['duckdns.org', 'mailinator.com', 'co.uk'])
      assert.equal(parents.has(name), isParent(name), name);
  });

  function isParent(name: string): boolean {
    return rules.some((rule) => rule.endsWith(`.${name}`));
  }
});
