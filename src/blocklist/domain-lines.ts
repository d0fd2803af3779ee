import { csvFields } from '../input/csv-fields.ts';

/** A domain as written in a file, and its line. */
export interface DomainLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  /** The column `reason` of a CSV file; null without one. */
  readonly reason: string | null;
}

/** Characters kept of a reason. */
const maxReason = 200;

/**
 * The domains of a file: one per line, or, when the first line names a column `domain`, that column of a CSV file, with
 * the column `reason` if there is one.
 * Skips blank lines and comments (`# …`, a whole line or, outside CSV, the end of a line), and trims blanks around a domain.
 */
export async function* domainLines(lines: AsyncIterable<string>): AsyncGenerator<DomainLine> {
  let line = 0;
  let isFirst = true;
  let columns: { readonly domain: number; readonly reason: number } | null = null;
  for await (const raw of lines) {
    line += 1;
    const content = (line === 1 ? raw.replace(/^\uFEFF/, '') : raw).trim();
    if (content === '' || content.startsWith('#')) continue;
    if (isFirst) {
      isFirst = false;
      const names = csvFields(content).map((name) => name.trim().toLowerCase());
      columns = names.includes('domain') ? { domain: names.indexOf('domain'), reason: names.indexOf('reason') } : null;
      if (columns !== null) continue;
    }
    if (columns === null) {
      yield { line, text: content.replace(/\s#.*$/, '').trim(), reason: null };
      continue;
    }
    const fields = csvFields(content);
    const reason = fields[columns.reason]?.trim().slice(0, maxReason) ?? '';
    yield { line, text: (fields[columns.domain] ?? '').trim(), reason: reason === '' ? null : reason };
  }
}
