import { isImportableKey } from './key-format.ts';
import { weaknessOf } from './key-strength.ts';

/** A key and the line it stands on, counted from 1. */
export interface KeyLine {
  readonly line: number;
  readonly key: string;
}

/** A line that is not taken, and why; its text is in no message, for it may be a key after all. */
export interface KeyLineProblem {
  readonly line: number;
  readonly reason: string;
}

/** More keys than anybody has: somebody sent the wrong file. */
const mostKeyLines = 100_000;

/** The keys of a text, one per line. Blank lines and `# comments` are skipped. */
export async function readKeyLines(
  lines: AsyncIterable<string>,
): Promise<{ keys: readonly KeyLine[]; problems: readonly KeyLineProblem[] }> {
  const keys: KeyLine[] = [];
  const problems: KeyLineProblem[] = [];
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (line > mostKeyLines) {
      problems.push({ line, reason: `no more than ${mostKeyLines} lines are read at once` });
      break;
    }
    const key = text.trim();
    if (key === '' || /^#(\s|$)/.test(key)) continue;
    const reason = problemOf(key);
    if (reason === null) keys.push({ line, key });
    else problems.push({ line, reason });
  }
  return { keys, problems };
}

/** Padding at the end of base64 is not an assignment. */
function problemOf(key: string): string | null {
  if (/^[a-z_]\w*=[^=]/i.test(key)) return 'NAME=… is not a key; give only the part after the =';
  if (/^["'`]|["'`]$/.test(key)) return 'it is in quotes';
  if (!isImportableKey(key)) {
    return 'an imported key has 16 to 128 printable ASCII characters, no blanks, and does not start with sp_';
  }
  return weaknessOf(key);
}
