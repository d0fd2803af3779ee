import { isImportableKey } from './key-format.ts';
import { weaknessOf } from './key-strength.ts';

/** A key and its line number, counted from 1. */
export interface KeyLine {
  readonly line: number;
  readonly key: string;
}

/** A line to report and the reason. The reason never contains the line's text, which may be a valid key. */
export interface KeyLineProblem {
  readonly line: number;
  readonly reason: string;
}

/** A longer import is almost certainly a wrong file. */
const maxKeyLines = 100_000;

/** The keys of an import, the rejected lines, and the keys that look easy to guess. */
export interface KeyLines {
  readonly keys: readonly KeyLine[];
  readonly problems: readonly KeyLineProblem[];
  readonly warnings: readonly KeyLineProblem[];
}

/** Parses keys, one per line. Skips blank lines and `# comments`. */
export async function readKeyLines(lines: AsyncIterable<string> | Iterable<string>): Promise<KeyLines> {
  const keys: KeyLine[] = [];
  const problems: KeyLineProblem[] = [];
  const warnings: KeyLineProblem[] = [];
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (line > maxKeyLines) {
      problems.push({ line, reason: `an import has at most ${maxKeyLines} lines` });
      break;
    }
    const key = text.trim();
    if (key === '' || /^#(\s|$)/.test(key)) continue;
    const reason = problemOf(key);
    if (reason !== null) {
      problems.push({ line, reason });
      continue;
    }
    keys.push({ line, key });
    const weakness = weaknessOf(key);
    if (weakness !== null) warnings.push({ line, reason: weakness });
  }
  return { keys, problems, warnings };
}

/** Does not mistake base64 padding at the end for an assignment. */
function problemOf(key: string): string | null {
  if (/^[a-z_]\w*=[^=]/i.test(key)) return 'NAME=… is not a key; give only the part after the =';
  if (/^[[{]|[\]}]$/.test(key)) return 'it is JSON; give only the key';
  if (/^["'`]|["'`]$/.test(key)) return 'it is in quotes';
  if (/[,;]|=[^=]/.test(key)) return 'a key contains no comma, no semicolon, and = only at its end';
  if (!isImportableKey(key)) {
    return 'an imported key has 16 to 128 printable ASCII characters, no blanks, and does not start with sp_';
  }
  return null;
}
