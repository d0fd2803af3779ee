/** A pattern that made-up local parts often match, and its name in a rule. */
export interface LocalPartPattern {
  /** In RE2 syntax, as a condition with `matches` has it. */
  readonly pattern: string;
  readonly text: string;
}

/** Patterns that conditions on the local part may use. Each alone matches many people: only outcomes make one a rule. */
export const localPartPatterns: readonly LocalPartPattern[] = [
  { pattern: '[0-9]{2}$', text: 'ends with 2 digits' },
  { pattern: '[0-9]{3}$', text: 'ends with 3 digits' },
  { pattern: '[0-9]{4}$', text: 'ends with 4 digits' },
  { pattern: '[0-9]{5}$', text: 'ends with 5 digits' },
  { pattern: '^[0-9]', text: 'begins with a digit' },
  { pattern: '^[a-z]+[0-9]+$', text: 'is letters, then digits' },
  { pattern: '^[a-z]+[._-][a-z]+[0-9]+$', text: 'is two words, then digits' },
  { pattern: '[0-9][a-z]+[0-9]', text: 'has letters between digits' },
  { pattern: '([0-9][^0-9]*){4}', text: 'has at least 4 digits' },
  { pattern: '([0-9][^0-9]*){6}', text: 'has at least 6 digits' },
  { pattern: '[bcdfghjklmnpqrstvwxz]{5}', text: 'has 5 consonants in a row' },
  { pattern: '[.][^.]*[.]', text: 'has 2 dots' },
];

const maxRuns = 6;
const maxLength = 40;

/** The runs of letters and digits in a local part, as a pattern with their lengths; null where it has other characters or too many runs. */
export function shapePattern(localPart: string): string | null {
  return patternOf(localPart, (length) => `{${length}}`);
}

/** The same with runs of letters of any length: `^[a-z]+[0-9]{4}$`. */
export function looseShapePattern(localPart: string): string | null {
  return patternOf(localPart, () => '+');
}

function patternOf(localPart: string, ofLetters: (length: number) => string): string | null {
  const text = localPart.toLowerCase();
  if (text.length > maxLength || !/^[a-z0-9._-]+$/.test(text)) return null;
  const runs = text.match(/[a-z]+|[0-9]+|[._-]/g) ?? [];
  if (runs.length > maxRuns) return null;
  const parts = runs.map((run) => {
    if (/[a-z]/.test(run)) return `[a-z]${ofLetters(run.length)}`;
    return /[0-9]/.test(run) ? `[0-9]{${run.length}}` : `[${run}]`;
  });
  return `^${parts.join('')}$`;
}
