import { instructionsOf } from './re2js-internals.ts';
import { regexEngine } from './regex-engine.ts';
import { type CharacterClass, piecesOf, type Range } from './regex-syntax.ts';

/** The engine folds narrower ranges itself. */
const wideFrom = 500;

/** Every character with another case is in one of these blocks, in order; a test compares them with the engine. */
export const casedBlocks: readonly Range[] = [
  [0x41, 0x587],
  [0x10a0, 0x10ff],
  [0x13a0, 0x13ff],
  [0x1c80, 0x1cbf],
  [0x1d79, 0x1d8e],
  [0x1e00, 0x1fff],
  [0x2126, 0x2184],
  [0x24b6, 0x24e9],
  [0x2c00, 0x2d2d],
  [0xa640, 0xa7ff],
  [0xab53, 0xabbf],
  [0xfb05, 0xfb06],
  [0xff21, 0xff5a],
  [0x10400, 0x105bc],
  [0x10c80, 0x10d85],
  [0x118a0, 0x118df],
  [0x16e40, 0x16ed3],
  [0x1e900, 0x1e943],
];

/**
 * Rewrites wide ranges so that they contain every case. To ignore case, the engine folds a range one character after the other, which
 * takes hundreds of milliseconds for a pattern full of wide ranges. Few characters have another case, so only their blocks are
 * folded by the engine, and the class becomes case-sensitive.
 */
export function expandWideRanges(pattern: string): string {
  const outer: boolean[] = [];
  let ignoresCase = true;
  let expanded = '';
  for (const piece of piecesOf(pattern)) {
    if (piece.kind === 'close') ignoresCase = outer.pop() ?? ignoresCase;
    if (piece.kind === 'open') outer.push(ignoresCase);
    if (piece.kind === 'open' || piece.kind === 'flags') ignoresCase = withFlags(piece.flags, ignoresCase);
    const isExpanded = piece.kind === 'class' && ignoresCase && piece.class.ranges.some(isWide);
    expanded += (isExpanded ? inEveryCase(piece.class) : null) ?? piece.text;
  }
  return expanded;
}

/** `i-s` sets i and clears s. */
function withFlags(flags: string, before: boolean): boolean {
  const [set = '', cleared = ''] = flags.split('-');
  return !cleared.includes('i') && (before || set.includes('i'));
}

const isWide = ([low, high]: Range): boolean => high - low >= wideFrom;

/** The class with all cases of its characters, as a group in which case counts; null if they are unknown. */
function inEveryCase({ isNegated, named, ...parsed }: CharacterClass): string | null {
  const ranges = joined(parsed.ranges);
  // Three more characters of each wide range: the engine compiles a single letter in two cases differently.
  const folding = ranges.flatMap((range) => (isWide(range) ? [startOf(range), ...casedPartsOf(range)] : [range]));
  const folded = foldedByEngine(folding.map(written).join('') + named.join(''));
  if (folded === null) return null;
  const all = joined([...folded, ...ranges.filter(isWide)]);
  return `(?-i:[${isNegated ? '^' : ''}${all.map(written).join('')}])`;
}

const startOf = ([low]: Range): Range => [low, low + 2];

function casedPartsOf([low, high]: Range): Range[] {
  return casedBlocks
    .map(([first, last]): Range => [Math.max(low, first), Math.min(high, last)])
    .filter(([first, last]) => first <= last);
}

/** The ranges of a class with all cases: the engine's one instruction with characters has them. Null if it cannot be read. */
function foldedByEngine(items: string): Range[] | null {
  const { RE2JS } = regexEngine();
  const instructions = instructionsOf(RE2JS.compile(`[${items}]`, RE2JS.CASE_INSENSITIVE));
  if (instructions === null) return null;
  const runes = instructions.find((instruction) => (instruction.runes?.length ?? 0) > 1)?.runes ?? [];
  return Array.from({ length: runes.length / 2 }, (_, pair) => [runes[2 * pair] ?? 0, runes[2 * pair + 1] ?? 0]);
}

function joined(ranges: readonly Range[]): Range[] {
  const all: [number, number][] = [];
  for (const [low, high] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else all.push([low, high]);
  }
  return all;
}

const written = ([low, high]: Range): string => `\\x{${low.toString(16)}}-\\x{${high.toString(16)}}`;
