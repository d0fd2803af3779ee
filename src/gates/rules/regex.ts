import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { hasCountedRepetition, rangeCharacters, regexSize } from './regex-cost.ts';

/** The longest pattern a condition may have, in characters. */
export const maxPatternLength = 512;

/** The largest program a pattern with counted repetition may compile to, in instructions; others cannot be much larger. */
export const maxCountedSize = 1000;

/** The most characters that the ranges of one pattern span together: each is looked up when the pattern is compiled. */
export const maxRangeCharacters = 1_000_000;

/** What the engine may keep of the automaton it builds while it matches; its own limit is 8 MB a pattern. */
const automatonBytes = 256 * 1024;

/** A pattern ready to use, or why it is refused. */
export type Regex =
  | { readonly ok: true; readonly test: (text: string) => boolean }
  | { readonly ok: false; readonly problem: string };

/** Compiles a pattern of RE2 syntax: unanchored, case ignored, linear in the text, bounded in size. */
export function compileRegex(pattern: string): Regex {
  if (pattern.length > maxPatternLength) {
    return refused(`The regular expression must not be longer than ${maxPatternLength} characters.`);
  }
  const problem = sizeProblem(pattern);
  if (problem !== null) return refused(problem);
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    boundAutomaton(compiled);
    return { ok: true, test: (text) => compiled.test(text) };
  } catch (error) {
    if (error instanceof RE2JSSyntaxException)
      return refused(`The regular expression is not RE2 syntax: ${error.error}.`);
    if (error instanceof RE2JSException) return refused('The regular expression is not RE2 syntax.');
    throw error;
  }
}

function sizeProblem(pattern: string): string | null {
  const size = regexSize(pattern);
  if (size > maxCountedSize && hasCountedRepetition(pattern)) {
    return (
      `The regular expression is too large: with its counted repetitions written out it has ${inWords(size)} ` +
      `instructions, and may have ${inWords(maxCountedSize)}.`
    );
  }
  const characters = rangeCharacters(pattern);
  if (characters > maxRangeCharacters) {
    return (
      `The regular expression is too large: its ranges span ${inWords(characters)} characters together, ` +
      `and may span ${inWords(maxRangeCharacters)}.`
    );
  }
  return null;
}

const inWords = (count: number): string => count.toLocaleString('en');

function refused(problem: string): Regex {
  return { ok: false, problem };
}

/**
 * A pattern whose automaton outgrows its memory would rebuild it on every text, at many times the cost of simulating the
 * program. So the automaton is given up the first time, and the engine goes on without it, still in linear time.
 */
function boundAutomaton(compiled: RE2JS): void {
  const automaton = compiled.re2().dfa;
  automaton.maxMem = automatonBytes;
  automaton.stateBudget = automatonBytes;
  automaton.memBudget = automatonBytes;
  automaton.resetCache = () => {
    automaton.failed = true;
    automaton.clearCache();
    return null;
  };
}
