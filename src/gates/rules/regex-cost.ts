/** A class such as `\pL` has hundreds of ranges, which the engine keeps once per repetition. */
const unicodeClassCost = 10;

/** With case ignored, the engine folds every character of a range when it parses it. */
const rangeWidthPerCost = 1024;

/** Characters of a bracket class that cost as much as one instruction. */
const classLengthPerCost = 16;

/** The two ends of a capture, and one for an empty group. */
const groupCost = 3;

interface Frame {
  /** The cost of everything before the last item. */
  done: number;
  /** The cost of the last item: what a quantifier multiplies. */
  last: number;
}

/**
 * An upper bound of the instructions a pattern compiles to, known before it is compiled: `(?:a{100}b){10}` is short
 * to write and long to run. It never refuses syntax; a pattern RE2 refuses may get any cost.
 */
export function regexCost(pattern: string): number {
  const outer: Frame[] = [];
  let frame: Frame = { done: 0, last: 0 };
  const item = (cost: number) => {
    frame.done += frame.last;
    frame.last = cost;
  };
  for (const token of tokens(pattern)) {
    if (token.kind === 'item') item(token.cost);
    else if (token.kind === 'repeat') frame.last = frame.last * Math.max(token.times, 1) + token.extra;
    else if (token.kind === 'open') {
      outer.push(frame);
      frame = { done: 0, last: 0 };
    } else {
      const inner = frame.done + frame.last;
      frame = outer.pop() ?? frame;
      item(inner + groupCost);
    }
  }
  return [...outer, frame].reduce((sum, { done, last }) => sum + done + last, 0);
}

type Token =
  | { readonly kind: 'item'; readonly cost: number }
  | { readonly kind: 'repeat'; readonly times: number; readonly extra: number }
  | { readonly kind: 'open' }
  | { readonly kind: 'close' };

/** Flags and an empty quotation are no items: a quantifier behind them repeats what stands before them. */
const nothing: Token = { kind: 'repeat', times: 1, extra: 0 };

/** What each piece of the syntax costs; the first that fits at a place wins. */
const syntax: readonly (readonly [RegExp, (match: RegExpExecArray) => Token])[] = [
  [/\\Q(?:\\E|$)|\\E|\(\?[a-zA-Z-]*\)/y, () => nothing],
  [/\\Q([\s\S]*?)(?:\\E|$)/y, (match) => ({ kind: 'item', cost: match[1]?.length ?? 0 })],
  [/\\[pP](?:\{[^}]*\}|.)/y, () => ({ kind: 'item', cost: unicodeClassCost })],
  [/\\x(?:\{[0-9a-fA-F]+\}|[0-9a-fA-F]{2})/y, () => ({ kind: 'item', cost: 1 })],
  [/\\[\s\S]?/y, () => ({ kind: 'item', cost: 1 })],
  [/\((?:\?(?:P?<\w*>|[a-zA-Z-]*:))?/y, () => ({ kind: 'open' })],
  [/\)/y, () => ({ kind: 'close' })],
  [/\|/y, () => ({ kind: 'item', cost: 2 })],
  [/[*+?]/y, () => ({ kind: 'repeat', times: 1, extra: 2 })],
  [/\{(\d+)(?:,(\d*))?\}/y, countedRepetition],
];

function countedRepetition(match: RegExpExecArray): Token {
  const low = Number(match[1]);
  const times = Math.max(low, Number(match[2] ?? 0));
  return { kind: 'repeat', times, extra: times - low + 2 };
}

function* tokens(pattern: string): Generator<Token> {
  let at = 0;
  while (at < pattern.length) {
    if (pattern[at] === '[') {
      const { cost, end } = bracketClass(pattern, at);
      yield { kind: 'item', cost };
      at = end;
      continue;
    }
    const found = firstMatch(pattern, at);
    yield found?.token ?? { kind: 'item', cost: 1 };
    at += Math.max(found?.length ?? 1, 1);
  }
}

function firstMatch(pattern: string, at: number): { token: Token; length: number } | null {
  for (const [piece, token] of syntax) {
    piece.lastIndex = at;
    const match = piece.exec(pattern);
    if (match !== null) return { token: token(match), length: match[0].length };
  }
  return null;
}

const namedClass = /\[:\^?\w+:\]/y;
const unicodeClass = /\\[pP](?:\{[^}]*\}|.)/y;
const classCharacter = /\\x\{([0-9a-fA-F]+)\}|\\x([0-9a-fA-F]{2})|\\?([\s\S])/uy;

function bracketClass(pattern: string, start: number): { cost: number; end: number } {
  let at = start + (pattern[start + 1] === '^' ? 2 : 1);
  const first = at;
  let cost = 1;
  while (at < pattern.length && (pattern[at] !== ']' || at === first)) {
    const named = lengthAt(namedClass, pattern, at);
    const unicode = lengthAt(unicodeClass, pattern, at);
    if (named + unicode > 0) {
      cost += unicode > 0 ? unicodeClassCost : 0;
      at += named + unicode;
      continue;
    }
    const low = characterAt(pattern, at);
    at = low.end;
    if (pattern[at] !== '-' || pattern[at + 1] === ']') continue;
    const high = characterAt(pattern, at + 1);
    at = high.end;
    cost += Math.floor(Math.max(high.code - low.code, 0) / rangeWidthPerCost);
  }
  return { cost: cost + Math.floor((at - start) / classLengthPerCost), end: at + 1 };
}

function lengthAt(piece: RegExp, pattern: string, at: number): number {
  piece.lastIndex = at;
  return piece.exec(pattern)?.[0].length ?? 0;
}

function characterAt(pattern: string, at: number): { code: number; end: number } {
  classCharacter.lastIndex = at;
  const match = classCharacter.exec(pattern);
  if (match === null) return { code: 0, end: at + 1 };
  const hex = match[1] ?? match[2];
  const code = hex === undefined ? (match[3]?.codePointAt(0) ?? 0) : Number.parseInt(hex, 16);
  return { code, end: at + match[0].length };
}
