import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { regexCost } from './regex-cost.ts';

/** The longest pattern a condition may have, in characters. */
export const maxPatternLength = 512;

/** The largest program one pattern may compile to, in instructions. */
export const maxPatternCost = 1000;

/** What the engine may keep of the automaton it builds while it matches; its own limit is 8 MB a pattern. */
const automatonBytes = 256 * 1024;

/** A pattern ready to use, or why it is refused. */
export type Regex =
  | { readonly ok: true; readonly cost: number; readonly test: (text: string) => boolean }
  | { readonly ok: false; readonly problem: string };

/** Compiles a pattern of RE2 syntax: unanchored, case ignored, linear in the text, bounded in size. */
export function compileRegex(pattern: string): Regex {
  if (pattern.length > maxPatternLength) {
    return refused(`The regular expression must not be longer than ${maxPatternLength} characters.`);
  }
  const cost = regexCost(pattern);
  if (cost > maxPatternCost) return refused(tooLarge);
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    if (compiled.programSize() > maxPatternCost + programOverhead) return refused(tooLarge);
    boundAutomaton(compiled);
    return { ok: true, cost, test: (text) => compiled.test(text) };
  } catch (error) {
    if (error instanceof RE2JSSyntaxException)
      return refused(`The regular expression is not RE2 syntax: ${error.error}.`);
    if (error instanceof RE2JSException) return refused('The regular expression is not RE2 syntax.');
    throw error;
  }
}

/** The instructions every program has: fail, match, and one to start. */
const programOverhead = 3;

const tooLarge =
  'The regular expression is too large: repetitions inside repetitions, or of large classes, must be fewer.';

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
