/** A range of characters by their code points, both ends included. */
export type Range = readonly [low: number, high: number];

/** A bracket class such as `[^a-z\d]`. */
export interface CharacterClass {
  readonly isNegated: boolean;
  readonly ranges: readonly Range[];
  /** Named classes inside it: `\d`, `\pL`, `[:alpha:]`. */
  readonly named: readonly string[];
}

/** A piece of a pattern. Text that RE2 rejects may become any piece. */
export type Piece = { readonly text: string } & (
  | { readonly kind: 'characters'; readonly count: number }
  | { readonly kind: 'unicode-class' | 'alternative' | 'close' | 'empty' }
  | { readonly kind: 'class'; readonly class: CharacterClass }
  | { readonly kind: 'repeat'; readonly low: number; readonly high: number; readonly isCounted: boolean }
  /** `(?i-s)` changes flags up to the end of the group, `(?i-s:` opens a group with them. */
  | { readonly kind: 'flags'; readonly flags: string }
  | { readonly kind: 'open'; readonly flags: string }
);

type PieceOf = Piece extends infer P ? (P extends Piece ? Omit<P, 'text'> : never) : never;

const plain: PieceOf = { kind: 'characters', count: 1 };

/** The first expression that matches at a position wins. */
const syntax: readonly (readonly [RegExp, (match: RegExpExecArray) => PieceOf])[] = [
  [/\\Q(?:\\E|$)|\\E/y, () => ({ kind: 'empty' })],
  [/\\Q([\s\S]*?)(?:\\E|$)/y, ([, quoted = '']) => ({ kind: 'characters', count: quoted.length })],
  [/\\[pP](?:\{[^}]*\}|.)/y, () => ({ kind: 'unicode-class' })],
  [/\\x(?:\{[0-9a-fA-F]+\}|[0-9a-fA-F]{2})|\\[\s\S]?/y, () => plain],
  [/\(\?([a-zA-Z-]*)\)/y, ([, flags = '']) => ({ kind: 'flags', flags })],
  [/\((?:\?(?:P?<\w*>|([a-zA-Z-]*):))?/y, ([, flags = '']) => ({ kind: 'open', flags })],
  [/\)/y, () => ({ kind: 'close' })],
  [/\|/y, () => ({ kind: 'alternative' })],
  [/[*+?]/y, () => ({ kind: 'repeat', low: 1, high: 1, isCounted: false })],
  [/\{(\d+)(?:,(\d*))?\}/y, ([, low = '', high = '']) => countedRepetition(Number(low), Number(high))],
];

function countedRepetition(low: number, high: number): PieceOf {
  return { kind: 'repeat', low, high: Math.max(low, high), isCounted: true };
}

/** Splits a pattern of RE2 syntax into its pieces. It never rejects a pattern: that is for the engine. */
export function* piecesOf(pattern: string): Generator<Piece> {
  for (let at = 0; at < pattern.length; ) {
    const piece = classAt(pattern, at) ?? pieceAt(pattern, at);
    yield piece;
    at += piece.text.length;
  }
}

function pieceAt(pattern: string, at: number): Piece {
  for (const [expression, pieceOf] of syntax) {
    const match = matchAt(expression, pattern, at);
    if (match !== null) return { ...pieceOf(match), text: match[0] };
  }
  return { ...plain, text: pattern.charAt(at) };
}

const namedClass = /\[:\^?\w+:\]|\\[pP](?:\{[^}]*\}|[\s\S])|\\[dDsSwW]/y;
const character = /\\x\{([0-9a-fA-F]{1,6})\}|\\x([0-9a-fA-F]{2})|\\([0-7]{1,3})|\\([\s\S])|([^\\])/uy;
const controls: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };
const lastCharacter = 0x10ffff;

/** Null when there is no bracket class, or none that RE2 accepts. */
function classAt(pattern: string, start: number): Piece | null {
  if (pattern[start] !== '[') return null;
  const isNegated = pattern[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  const ranges: Range[] = [];
  const named: string[] = [];
  let at = first;
  while (pattern[at] !== ']' || at === first) {
    const [name] = matchAt(namedClass, pattern, at) ?? [];
    if (name !== undefined) {
      named.push(name);
      at += name.length;
      continue;
    }
    const low = characterAt(pattern, at);
    if (low === null) return null;
    const isRange = pattern[low.end] === '-' && pattern[low.end + 1] !== ']';
    const high = isRange ? characterAt(pattern, low.end + 1) : low;
    if (high === null || high.code < low.code) return null;
    at = high.end;
    ranges.push([low.code, high.code]);
  }
  return { kind: 'class', class: { isNegated, ranges, named }, text: pattern.slice(start, at + 1) };
}

function characterAt(pattern: string, at: number): { code: number; end: number } | null {
  const match = matchAt(character, pattern, at);
  if (match === null) return null;
  const [text, braced, hex = braced, octal, escaped = '', literal = escaped] = match;
  const end = at + text.length;
  if (hex !== undefined) return codeWithin(Number.parseInt(hex, 16), end);
  if (octal !== undefined) return codeWithin(Number.parseInt(octal, 8), end);
  const control = controls[escaped];
  if (control !== undefined) return { code: control, end };
  // RE2 allows no other letter or digit after a backslash.
  return /[0-9a-zA-Z]/.test(escaped) ? null : codeWithin(literal.codePointAt(0) ?? 0, end);
}

const codeWithin = (code: number, end: number) => (code <= lastCharacter ? { code, end } : null);

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}
