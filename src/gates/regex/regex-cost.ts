import { type Piece, piecesOf } from './regex-syntax.ts';

/** How much the pieces of a pattern count. */
interface Weights {
  /** A character, a quantifier, an alternative, the end of a group. */
  readonly piece: number;
  readonly unicodeClass: number;
  /** A repeated piece counts once per repetition. */
  readonly isWrittenOut: boolean;
}

/** A class such as `\pL` has hundreds of ranges, which the engine keeps once per repetition. */
const instructions: Weights = { piece: 1, unicodeClass: 10, isWrittenOut: true };

/** The cost of reading the ranges of such a class, once however often it is repeated. */
const reading: Weights = { piece: 0, unicodeClass: 60, isWrittenOut: false };

export interface RegexCosts {
  /** An upper bound of the instructions a pattern compiles to: `(?:a{100}b){10}` is short to write and long to run. */
  readonly size: number;
  /** The cost of compiling it, in units of one instruction. */
  readonly effort: number;
}

export function regexCosts(pattern: string): RegexCosts {
  const pieces = [...piecesOf(pattern)];
  const size = costOf(pieces, instructions);
  return { size, effort: size + costOf(pieces, reading) };
}

/** See `RegexCosts`. */
export function regexSize(pattern: string): number {
  return costOf(piecesOf(pattern), instructions);
}

/** Whether a pattern has a counted repetition: nothing else makes a program much larger than its pattern. */
export function hasCountedRepetition(pattern: string): boolean {
  return piecesOf(pattern).some((piece) => piece.kind === 'repeat' && piece.isCounted && piece.high !== 1);
}

/** Characters of a bracket class that cost as much as one instruction. */
const classLengthPerCost = 16;

/** The two ends of a capture, and one for an empty group. */
const groupCost = 3;

interface Frame {
  /** The cost of everything before the last item. */
  done: number;
  /** The cost of the last item: a quantifier multiplies it. */
  last: number;
}

/** The cost before the pattern is compiled. A pattern that RE2 rejects may have any cost. */
function costOf(pieces: Iterable<Piece>, weights: Weights): number {
  const outer: Frame[] = [];
  let frame: Frame = { done: 0, last: 0 };
  const item = (cost: number): void => {
    frame.done += frame.last;
    frame.last = cost;
  };
  for (const piece of pieces) {
    if (piece.kind === 'repeat') {
      const times = weights.isWrittenOut ? Math.max(piece.high, 1) : 1;
      frame.last = frame.last * times + (piece.high - piece.low + 2) * weights.piece;
    } else if (piece.kind === 'open') {
      outer.push(frame);
      frame = { done: 0, last: 0 };
    } else if (piece.kind === 'close') {
      const inner = frame.done + frame.last;
      frame = outer.pop() ?? frame;
      item(inner + groupCost * weights.piece);
    } else if (piece.kind !== 'empty' && piece.kind !== 'flags') {
      // A quantifier after flags or an empty quotation repeats the item before them.
      item(itemCost(piece, weights));
    }
  }
  return [...outer, frame].reduce((sum, { done, last }) => sum + done + last, 0);
}

function itemCost(item: Piece, { piece, unicodeClass }: Weights): number {
  if (item.kind === 'unicode-class') return unicodeClass;
  if (item.kind === 'alternative') return 2 * piece;
  if (item.kind === 'characters') return item.count * piece;
  if (item.kind !== 'class') return 0;
  const unicodeClasses = item.class.named.filter((name) => /^\\[pP]/.test(name)).length;
  const length = Math.floor((item.text.length - 1) / classLengthPerCost);
  return piece + unicodeClasses * unicodeClass + length * piece;
}
