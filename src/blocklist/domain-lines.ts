import { readTable } from '../../csv/read-rows.ts';

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
 * The domains of a text: one per line, or the column `domain` of a CSV file, with the column `reason` if there is one.
 * Skips blank lines and comments (`# …`, a whole line or the end of a domain), and trims blanks around a domain.
 */
export function* domainLines(text: string): Generator<DomainLine> {
  for (const row of readTable(text, 'domain', (record) => record.text.trimStart().startsWith('#'))) {
    const reason = storedReason(row.cell('reason'));
    const domain = row
      .cell('domain')
      .replace(/\s#.*$/, '')
      .trim();
    yield { line: row.line, text: domain, reason: reason === '' ? null : reason };
  }
}

/** The beginning of a reason, as every database stores it. */
function storedReason(reason: string): string {
  return Array.from(reason.replaceAll('\0', '').toWellFormed()).slice(0, maxReason).join('').trim();
}
