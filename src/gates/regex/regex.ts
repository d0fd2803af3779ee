import { hasCountedRepetition, regexSize } from './regex-cost.ts';
import { regexEngine } from './regex-engine.ts';
import { createRegexPrograms } from './regex-programs.ts';

/** The longest pattern a condition may have, in characters. */
export const maxPatternLength = 512;

/** The largest program a pattern with counted repetition may compile to, in instructions; others cannot be much larger. */
export const maxCountedSize = 1000;

/** The compiled patterns of all gates of the process. */
const programs = createRegexPrograms();

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
    return { ok: true, test: programs.compile(pattern) };
  } catch (error) {
    const { RE2JSException, RE2JSSyntaxException } = regexEngine();
    if (error instanceof RE2JSSyntaxException)
      return refused(`The regular expression is not RE2 syntax: ${error.error}.`);
    if (error instanceof RE2JSException) return refused('The regular expression is not RE2 syntax.');
    throw error;
  }
}

/** The test of a pattern that was accepted before. The first test compiles it; the engine is loaded now, which takes longer than a decision has. */
export function acceptedRegex(pattern: string): (text: string) => boolean {
  regexEngine();
  return programs.later(pattern);
}

function sizeProblem(pattern: string): string | null {
  const size = regexSize(pattern);
  if (size <= maxCountedSize || !hasCountedRepetition(pattern)) return null;
  return (
    `The regular expression is too large: with its counted repetitions written out it counts ${inWords(size)} ` +
    `instructions, and may count ${inWords(maxCountedSize)}.`
  );
}

const inWords = (count: number): string => count.toLocaleString('en');

function refused(problem: string): Regex {
  return { ok: false, problem };
}
