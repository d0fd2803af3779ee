import { csvLine } from '../../../csv/csv-line.ts';
import { readTable } from '../../../csv/read-rows.ts';
import { InputProblem } from '../../../csv/scan-records.ts';

/** The names of the entries in each kind of custom list. */
export const kindNames = {
  email: 'Email addresses',
  domain: 'Domains',
  ip: 'IP addresses and networks',
  country: 'Countries',
  asn: 'AS numbers',
  text: 'Texts',
} as const;

export type ListKind = keyof typeof kindNames;

/** One entry of each kind, as a placeholder. */
export const sampleValues: Readonly<Record<ListKind, string>> = {
  email: 'jane@example.com',
  domain: 'example.com',
  ip: '203.0.113.0/24',
  country: 'DE',
  asn: 'AS15169',
  text: 'any text',
};

interface PastedEntry {
  value: string;
  note?: string;
  expires_at?: string;
}

interface PastedEntries {
  readonly entries: readonly PastedEntry[];
  /** The line of each entry, from 1. */
  readonly lines: readonly number[];
  /** Why the text cannot be read. */
  readonly problem: string | null;
}

/** The entries of pasted text: one value per line, or CSV whose heading names a column `value`. */
export function pastedEntries(text: string): PastedEntries {
  try {
    const lines: number[] = [];
    const entries = Array.from(readTable(text, 'value'), (row) => {
      lines.push(row.line);
      const [note, expires_at] = [row.cell('note'), row.cell('expires_at')];
      return { value: row.cell('value'), ...(note && { note }), ...(expires_at && { expires_at }) };
    });
    return { entries, lines, problem: null };
  } catch (error) {
    if (!(error instanceof InputProblem)) throw error;
    return { entries: [], lines: [], problem: error.message };
  }
}

/** Entries as CSV, which an import reads. */
export function entriesCsv(
  entries: readonly { value: string; note: string | null; expires_at: string | null; created_at: string }[],
): string {
  const rows = entries.map(({ value, note, expires_at, created_at }) => [value, note, expires_at, created_at]);
  return [['value', 'note', 'expires_at', 'created_at'], ...rows].map((row) => csvLine(row)).join('');
}
