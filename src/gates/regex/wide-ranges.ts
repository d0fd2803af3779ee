import { regexEngine } from './regex-engine.ts';

/** Ranges of fewer characters are left to the engine. */
const wideFrom = 500;

/** Every character that has another case is in one of these, in order; the test holds them against the engine. */
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

type Range = readonly [low: number, high: number];

/**
 * The pattern with its wide ranges written out in all cases. The engine looks for the other cases of a range one character
 * after the other: seconds for a pattern full of ranges over half of Unicode. Nearly all characters have none, so the
 * class is asked for without them, and stands in the pattern as one in which case counts.
 */
export function writeOutWideRanges(pattern: string): string {
  const outer: boolean[] = [];
  let ignoresCase = true;
  let written = '';
  let at = 0;
  const take = (length: number): void => {
    written += pattern.slice(at, at + length);
    at += length;
  };
  while (at < pattern.length) {
    const [piece = '', flags] = matchAt(syntax, pattern, at) ?? [];
    if (piece === '[') {
      const set = readClass(pattern, at);
      if (set === null || !ignoresCase || !set.ranges.some(isWide)) take(set === null ? 1 : set.end - at);
      else {
        written += inEveryCase(set);
        at = set.end;
      }
      continue;
    }
    if (piece === ')') ignoresCase = outer.pop() ?? ignoresCase;
    else if (piece.startsWith('(') && !piece.endsWith(')')) outer.push(ignoresCase);
    if (flags !== undefined) ignoresCase = withFlags(flags, ignoresCase);
    take(Math.max(piece.length, 1));
  }
  return written;
}

/** Quoted text, flags for the rest of a group or for a group of their own, groups, classes; anything else is one character. */
const syntax = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\(\?([a-zA-Z-]*)[:)]|\(|\)|\[|[\s\S]/y;

/** `i-s` sets i and takes s away. */
function withFlags(flags: string, before: boolean): boolean {
  const [set = '', taken = ''] = flags.split('-');
  return !taken.includes('i') && (before || set.includes('i'));
}

interface CharacterClass {
  readonly isNegated: boolean;
  readonly ranges: readonly Range[];
  /** Classes inside: `\d`, `\pL`, `[:alpha:]`. */
  readonly named: string;
  readonly end: number;
}

const namedClass = /\[:\^?\w+:\]|\\[pP](?:\{[^}]*\}|[\s\S])|\\[dDsSwW]/y;
const character = /\\x\{([0-9a-fA-F]{1,6})\}|\\x([0-9a-fA-F]{2})|\\([0-7]{1,3})|\\([\s\S])|([^\\])/uy;
const controls: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** Null for what is not understood; the engine then says what it makes of it. */
function readClass(pattern: string, start: number): CharacterClass | null {
  const isNegated = pattern[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  const ranges: Range[] = [];
  let named = '';
  let at = first;
  while (pattern[at] !== ']' || at === first) {
    const [name] = matchAt(namedClass, pattern, at) ?? [];
    if (name !== undefined) {
      named += name;
      at += name.length;
      continue;
    }
    const low = characterAt(pattern, at);
    if (low === null) return null;
    at = low.end;
    const isRange = pattern[at] === '-' && pattern[at + 1] !== ']';
    const high = isRange ? characterAt(pattern, at + 1) : low;
    if (high === null || high.code < low.code) return null;
    at = high.end;
    ranges.push([low.code, high.code]);
  }
  return { isNegated, ranges, named, end: at + 1 };
}

function characterAt(pattern: string, at: number): { code: number; end: number } | null {
  const match = matchAt(character, pattern, at);
  if (match === null) return null;
  const [text, braced, hex = braced, octal, escaped = '', plain = escaped] = match;
  const end = at + text.length;
  if (hex !== undefined) return codeWithin(Number.parseInt(hex, 16), end);
  if (octal !== undefined) return codeWithin(Number.parseInt(octal, 8), end);
  const control = controls[escaped];
  if (control !== undefined) return { code: control, end };
  // Of letters and digits only those above may be escaped.
  return /[0-9a-zA-Z]/.test(escaped) ? null : codeWithin(plain.codePointAt(0) ?? 0, end);
}

const lastCharacter = 0x10ffff;

const codeWithin = (code: number, end: number) => (code <= lastCharacter ? { code, end } : null);

const isWide = ([low, high]: Range): boolean => high - low >= wideFrom;

/** The class in all cases, for a place where case would be ignored. */
function inEveryCase({ isNegated, ranges, named }: CharacterClass): string {
  // Three characters of each wide range, so that what is asked for is never a single letter in two cases.
  const asked = ranges.flatMap((range) => (isWide(range) ? [startOf(range), ...casedPartsOf(range)] : [range]));
  const folded = foldedByEngine(asked.map(written).join('') + named);
  const all = joined([...folded, ...ranges.filter(isWide)]);
  return `(?-i:[${isNegated ? '^' : ''}${all.map(written).join('')}])`;
}

const startOf = ([low]: Range): Range => [low, low + 2];

function casedPartsOf([low, high]: Range): Range[] {
  return casedBlocks
    .map(([first, last]): Range => [Math.max(low, first), Math.min(high, last)])
    .filter(([first, last]) => first <= last);
}

/** What the engine makes of a class when case is ignored: its one instruction with characters has them as pairs. */
function foldedByEngine(items: string): Range[] {
  const { RE2JS } = regexEngine();
  const { prog } = RE2JS.compile(`[${items}]`, RE2JS.CASE_INSENSITIVE).re2();
  const instructions = prog.inst as readonly { readonly runes?: ArrayLike<number> | null }[];
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

function matchAt(piece: RegExp, text: string, at: number): RegExpExecArray | null {
  piece.lastIndex = at;
  return piece.exec(text);
}
