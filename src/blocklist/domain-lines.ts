import { csvFields } from '../input/csv-fields.ts';

/** A domain as written in a file, and its line. */
export interface DomainLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * The domains of a file: one per line, or, when the first line names a column `domain`, that column of a CSV file.
 * Skips blank lines and comments (`# …`, a whole line or, outside CSV, the end of a line), and trims blanks around a domain.
 */
export async function* domainLines(lines: AsyncIterable<string>): AsyncGenerator<DomainLine> {
  let line = 0;
  let isFirst = true;
  let column: number | null = null;
  for await (const raw of lines) {
    line += 1;
    const content = (line === 1 ? raw.replace(/^\uFEFF/, '') : raw).trim();
    if (content === '' || content.startsWith('#')) continue;
    if (isFirst) {
      isFirst = false;
      const found = csvFields(content).findIndex((name) => name.trim().toLowerCase() === 'domain');
      column = found === -1 ? null : found;
      if (column !== null) continue;
    }
    const text = column === null ? content.replace(/\s#.*$/, '') : (csvFields(content)[column] ?? '');
    yield { line, text: text.trim() };
  }
}
