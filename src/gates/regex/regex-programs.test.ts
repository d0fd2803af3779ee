import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRegexPrograms } from './regex-programs.ts';

describe('compiled patterns', () => {
  it('evicted patterns still match: they are compiled again', () => {
    const programs = createRegexPrograms(600);
    const tests = Array.from({ length: 30 }, (_, index) => programs.compile(`^${index}$`));
    for (const [index, test] of tests.entries()) {
      assert.deepEqual([test(String(index)), test(`${index}x`)], [true, false]);
    }
  });

  it('compiled patterns that are compiled later answer the same', () => {
    const programs = createRegexPrograms();
    assert.deepEqual([programs.later('^A$')('a'), programs.later('^A$')('b')], [true, false]);
  });
});
