import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRegexPrograms } from './regex-programs.ts';

describe('compiled patterns', () => {
  it('evicted patterns still match: they are compiled again', () => {
    const programs = createRegexPrograms(10_000);
    const tests = Array.from({ length: 30 }, (_, index) => programs.compile(`^${index}$`));
    for (const [index, test] of tests.entries()) {
      assert.deepEqual([test(String(index)), test(`${index}x`)], [true, false]);
    }
  });

  it('the bytes of compiled patterns stay within their limit while they match, and the costliest are evicted first', () => {
    const programs = createRegexPrograms(400_000);
    const plain = Array.from({ length: 20 }, (_, index) => `^plain-${index}$`);
    for (const pattern of plain) programs.compile(pattern);
    const costly = Array.from({ length: 20 }, (_, index) => programs.compile(`\\p{L}${index}\\p{L}`));
    const before = programs.bytes();
    assert.ok(costly[0]?.('bücher0ü') === true && programs.bytes() > before, 'the automaton counts');
    for (const test of costly) {
      for (const text of ['example', 'bücher1ü', 'пример', '例え']) test(text);
      assert.ok(programs.bytes() <= 400_000);
    }
    assert.deepEqual(
      plain.filter((pattern) => !programs.has(pattern)),
      [],
    );
  });

  it('compiled patterns that are compiled later answer the same', () => {
    const programs = createRegexPrograms();
    assert.deepEqual([programs.later('^A$')('a'), programs.later('^A$')('b')], [true, false]);
  });
});
