import { csvFields } from '../input/csv-fields.ts';
import type { SentEntry } from './custom-lists-input.ts';

/** An entry as a file has it, and its line. */
export interface EntryLine extends SentEntry {
  /** Counted from 1. */
  readonly line: number;
}

/**
 * The entries of a file: one value per line, or, when the first line names a column `value`, the columns `value`, `note` and
 * `expires_at` of a CSV file. Skips blank lines, and trims blanks around a value.
 */
export async function* entryLines(lines: AsyncIterable<string>): AsyncGenerator<EntryLine> {
  let line = 0;
  let columns: readonly string[] | null = null;
  for await (const raw of lines) {
    line += 1;
    const content = (line === 1 ? raw.replace(/^\uFEFF/, '') : raw).trim();
    if (content === '') continue;
    // An export protects texts that a spreadsheet would take for a formula with an apostrophe.
    const fields = csvFields(content).map((field) => field.trim().replace(/^'(?=[=+\-@])/, ''));
    if (columns === null) {
      const names = fields.map((name) => name.toLowerCase());
      columns = names.includes('value') ? names : [];
      if (columns.length > 0) continue;
    }
    const cell = (name: string) => fields[columns?.indexOf(name) ?? -1] || null;
    yield columns.length === 0
      ? { line, value: content, note: null, expires_at: null }
      : { line, value: cell('value') ?? '', note: cell('note'), expires_at: cell('expires_at') };
  }
}
