/** What the pieces of a pattern count for. */
interface Weights {
  /** A character, a quantifier, an alternative, the end of a group. */
  readonly piece: number;
  readonly unicodeClass: number;
  /** A repeated piece counts as often as it is repeated. */
  readonly isWrittenOut: boolean;
}

/** A class such as `\pL` has hundreds of ranges, which the engine keeps once per repetition. */
const instructions: Weights = { piece: 1, unicodeClass: 10, isWrittenOut: true };

/** What the ranges of such a class cost when they are read, once however often they are repeated. */
const reading: Weights = { piece: 0, unicodeClass: 60, isWrittenOut: false };

/** An upper bound of the instructions a pattern compiles to: `(?:a{100}b){10}` is short to write and long to run. */
export function regexSize(pattern: string): number {
  return regexCost(pattern, instructions);
}

/** What it takes to compile a pattern, in the time that one instruction takes. */
export function regexEffort(pattern: string): number {
  return regexCost(pattern, instructions) + regexCost(pattern, reading);
}

/** Whether a pattern has a counted repetition: the only thing that makes it much larger than it is written. */
export function hasCountedRepetition(pattern: string): boolean {
  for (const token of tokens(pattern, instructions)) if (token.kind === 'repeat' && token.times !== 1) return true;
  return false;
}

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

/** Known before the pattern is compiled. It never refuses syntax; a pattern RE2 refuses may get any cost. */
function regexCost(pattern: string, weights: Weights): number {
  const outer: Frame[] = [];
  let frame: Frame = { done: 0, last: 0 };
  const item = (cost: number) => {
    frame.done += frame.last;
    frame.last = cost;
  };
  const { piece, isWrittenOut } = weights;
  for (const token of tokens(pattern, weights)) {
    if (token.kind === 'item') item(token.cost);
    else if (token.kind === 'repeat') {
      frame.last = frame.last * (isWrittenOut ? Math.max(token.times, 1) : 1) + token.extra * piece;
    } else if (token.kind === 'open') {
      outer.push(frame);
      frame = { done: 0, last: 0 };
    } else {
      const inner = frame.done + frame.last;
      frame = outer.pop() ?? frame;
      item(inner + groupCost * piece);
    }
  }
  return [...outer, frame].reduce((sum, { done, last }) => sum + done + last, 0);
}

type Token =
  | { readonly kind: 'item'; readonly cost: number }
  | { readonly kind: 'repeat'; readonly times: number; readonly extra: number }
  | { readonly kind: 'open' }
  | { readonly kind: 'close' };

/** Flags and an empty quotation are not items: a quantifier behind them repeats what stands before them. */
const nothing: Token = { kind: 'repeat', times: 1, extra: 0 };

/** What each piece of the syntax costs; the first that fits at a place wins. */
const syntax: readonly (readonly [RegExp, (match: RegExpExecArray, weights: Weights) => Token])[] = [
  [/\\Q(?:\\E|$)|\\E|\(\?[a-zA-Z-]*\)/y, () => nothing],
  [/\\Q([\s\S]*?)(?:\\E|$)/y, (match, { piece }) => ({ kind: 'item', cost: (match[1]?.length ?? 0) * piece })],
  [/\\[pP](?:\{[^}]*\}|.)/y, (_, { unicodeClass }) => ({ kind: 'item', cost: unicodeClass })],
  [/\\x(?:\{[0-9a-fA-F]+\}|[0-9a-fA-F]{2})/y, (_, { piece }) => ({ kind: 'item', cost: piece })],
  [/\\[\s\S]?/y, (_, { piece }) => ({ kind: 'item', cost: piece })],
  [/\((?:\?(?:P?<\w*>|[a-zA-Z-]*:))?/y, () => ({ kind: 'open' })],
  [/\)/y, () => ({ kind: 'close' })],
  [/\|/y, (_, { piece }) => ({ kind: 'item', cost: 2 * piece })],
  [/[*+?]/y, () => ({ kind: 'repeat', times: 1, extra: 2 })],
  [/\{(\d+)(?:,(\d*))?\}/y, countedRepetition],
];

function countedRepetition(match: RegExpExecArray): Token {
  const low = Number(match[1]);
  const times = Math.max(low, Number(match[2] ?? 0));
  return { kind: 'repeat', times, extra: times - low + 2 };
}

function* tokens(pattern: string, weights: Weights): Generator<Token> {
  let at = 0;
  while (at < pattern.length) {
    if (pattern[at] === '[') {
      const { cost, end } = bracketClass(pattern, at, weights);
      yield { kind: 'item', cost };
      at = end;
      continue;
    }
    const found = firstMatch(pattern, at, weights);
    yield found?.token ?? { kind: 'item', cost: weights.piece };
    at += Math.max(found?.length ?? 1, 1);
  }
}

function firstMatch(pattern: string, at: number, weights: Weights): { token: Token; length: number } | null {
  for (const [piece, token] of syntax) {
    piece.lastIndex = at;
    const match = piece.exec(pattern);
    if (match !== null) return { token: token(match, weights), length: match[0].length };
  }
  return null;
}

const namedClass = /\[:\^?\w+:\]/y;
const unicodeClass = /\\[pP](?:\{[^}]*\}|.)/y;
const classCharacter = /\\x\{[0-9a-fA-F]+\}|\\?[\s\S]/uy;

function bracketClass(pattern: string, start: number, weights: Weights): { cost: number; end: number } {
  let at = start + (pattern[start + 1] === '^' ? 2 : 1);
  const first = at;
  let cost = weights.piece;
  while (at < pattern.length && (pattern[at] !== ']' || at === first)) {
    const named = lengthAt(namedClass, pattern, at);
    const unicode = lengthAt(unicodeClass, pattern, at);
    if (named + unicode > 0) {
      cost += unicode > 0 ? weights.unicodeClass : 0;
      at += named + unicode;
      continue;
    }
    at += Math.max(1, lengthAt(classCharacter, pattern, at));
  }
  return { cost: cost + Math.floor((at - start) / classLengthPerCost) * weights.piece, end: at + 1 };
}

function lengthAt(piece: RegExp, pattern: string, at: number): number {
  piece.lastIndex = at;
  return piece.exec(pattern)?.[0].length ?? 0;
}
