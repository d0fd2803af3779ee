import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RE2JS, RE2JSException } from 're2js';
import { instructionsOf } from './re2js-internals.ts';
import { casedBlocks, expandWideRanges } from './wide-ranges.ts';

const folding = RE2JS.CASE_INSENSITIVE;

/** Characters at and around the ends of everything that has another case. */
const probes = [
  ...Array.from({ length: 0x600 }, (_, code) => code),
  ...[0x1c80, 0x1d79, 0x1e00, 0x1e9e, 0x1fff, 0x2126, 0x212a, 0x212b, 0x2184, 0x24b6, 0x24e9, 0x2c00, 0x2d2d],
  ...[0x3400, 0x4e00, 0x9fff, 0xa640, 0xa7dc, 0xab53, 0xab70, 0xabbf, 0xd7ff, 0xe000, 0xfb05, 0xfb06, 0xff21, 0xff5a],
  ...[0xffff, 0x10000, 0x10400, 0x1044f, 0x10cc0, 0x118df, 0x16e40, 0x1e900, 0x1e921, 0x1e942, 0x1e943, 0x1e944],
  ...[0x20000, 0x10ffff],
].map((code) => String.fromCodePoint(code));

const accepted = (compiled: RE2JS): string[] => probes.filter((probe) => compiled.test(probe));

function outcome(pattern: string): readonly string[] | 'refused' {
  try {
    return accepted(RE2JS.compile(pattern, folding));
  } catch (error) {
    if (error instanceof RE2JSException) return 'refused';
    throw error;
  }
}

describe('wide ranges of a pattern', () => {
  it('wide ranges of a pattern are folded in every block with characters that have another case', () => {
    const gaps = casedBlocks.slice(1).map(([next], index) => [(casedBlocks[index]?.[1] ?? 0) + 1, next - 1] as const);
    for (const [low, high] of [...gaps, [0x1e944, 0x10ffff] as const]) {
      const engine = RE2JS.compile(`[\\x{${low.toString(16)}}-\\x{${high.toString(16)}}]`, folding);
      const runes = instructionsOf(engine)?.flatMap((each) => Array.from(each.runes ?? []));
      assert.deepEqual(runes, [low, high]);
    }
  });

  for (const pattern of [
    '[B-\\x{1E942}]',
    '[^B-\\x{1E942}]',
    '[一-鿿]',
    '[^一-鿿K]',
    '[\\a-\\x{1E942}]',
    '[\\101-\\x{1E942}]',
    '[^\\pL\\x{100}-\\x{1FFF}\\d]',
    '[\\pL\\PLB-\\x{1E942}]',
    '[[:lower:]\\w\\x{500}-\\x{FFFF}-]',
    '[]B-\\x{1E942}]',
    '[^]B-\\x{1E942}]',
    '(?-i)[B-\\x{1E942}]',
    '(?-i:[B-\\x{1E942}])',
    '(?:(?-i)x|y)|[B-\\x{1E942}]',
    '(?P<n>(?s-i)[b-\\x{1E942}])',
    '\\Q[\\E[B-\\x{1E942}]',
    '\\[[B-\\x{1E942}]',
    '[a\\-\\x{100}-\\x{1E942}]',
    '[\\e-\\x{1E942}]',
    '[\\x{1E942}-B]',
    '[B-\\x{1E942}',
    '[B-\\x{110000}]',
    '[B-\\d]',
    '(?i-i)[B-\\x{1E942}]',
  ]) {
    it(`wide ranges of a pattern match the same characters after they are expanded: ${pattern}`, () => {
      assert.deepEqual(outcome(expandWideRanges(pattern)), outcome(pattern));
    });
  }

  it('wide ranges of a pattern match the same characters after they are expanded, in random patterns', () => {
    const code = fc.oneof(
      fc.constantFrom('A', 'b', 'ß', '\\x{17f}', '\\x{212A}', '\\n', '\\012', '\\x41', 'ж', '\\.', '-'),
      fc.integer({ min: 0x30, max: 0x2100 }).map((each) => `\\x{${each.toString(16)}}`),
    );
    const item = fc.oneof(
      code,
      fc.tuple(code, code).map(([low, high]) => `${low}-${high}`),
      fc.constantFrom('\\pL', '\\P{Lu}', '\\d', '\\W', '[:upper:]', '[:^alpha:]', '\\x{3b1}-\\x{ffff}', 'b-\\x{3000}'),
    );
    const set = fc
      .tuple(fc.constantFrom('', '^'), fc.array(item, { minLength: 1, maxLength: 4 }))
      .map(([negation, items]) => `[${negation}${items.join('')}]`);
    const piece = fc.oneof(set, fc.constantFrom('(?-i)', '(?i)', '(?-i:', '(', ')', '|', 'x', '\\Q[\\E', '\\]'));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), (pieces) => {
        const pattern = pieces.join('');
        assert.deepEqual(outcome(expandWideRanges(pattern)), outcome(pattern), pattern);
      }),
      { numRuns: 300 },
    );
  });

  it('a pattern without wide ranges stays unchanged', () => {
    for (const pattern of ['', 'a[b-z]+', '(?-i)[B-\\x{1E942}]', '\\Q[B-\\x{1E942}]\\E', '[а-я]', '[', '(']) {
      assert.equal(expandWideRanges(pattern), pattern);
    }
  });
});
