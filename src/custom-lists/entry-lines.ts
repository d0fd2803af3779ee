import { readTable } from '../../csv/read-rows.ts';
import type { ListKind } from '../list-kind.ts';
import type { SentEntry } from './custom-lists-input.ts';

/** An entry as a file has it, and its line. */
export interface EntryLine extends SentEntry {
  /** Counted from 1. */
  readonly line: number;
}

/** The entries of a text: one value per line, or the columns `value`, `note` and `expires_at` of a CSV file. */
export function entryLines(text: string, kind: ListKind): EntryLine[] {
  const spelled = (cell: string): string => (kind === 'text' ? cell : cell.trim());
  return Array.from(readTable(text, 'value'), (row) => ({
    line: row.line,
    value: spelled(row.cell('value')),
    note: row.cell('note') || null,
    expires_at: row.cell('expires_at').trim() || null,
  }));
}
