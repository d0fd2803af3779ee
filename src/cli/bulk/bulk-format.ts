import { UsageError } from '../command.ts';
import { csvCell, csvCells } from './csv.ts';

/** What is known of an address, or null when the text is not an address. */
export type BulkAnswer = Readonly<Record<string, unknown>> | null;

/** How records are read and written. */
export interface BulkFormat {
  /** A line break between double quotes is part of a record. */
  readonly quoted: boolean;
  /** Takes the first record: the line to write for it, or null when it is a record like the others, and where addresses are. */
  start(first: string): { readonly heading: string | null; readonly column: number };
  addressOf(record: string, column: number): string;
  write(record: string, answer: BulkAnswer): string;
}

/** CSV: the record as it came, with the chosen columns after it. A file of one column needs no heading. */
export function csvFormat(column: string, columns: readonly string[]): BulkFormat {
  return {
    quoted: true,
    start(first) {
      const heading = csvCells(first).map((cell) => cell.trim().toLowerCase());
      const place = heading.indexOf(column.toLowerCase());
      if (place >= 0) return { heading: [first, 'valid', ...columns].join(','), column: place };
      if (heading.length > 1) throw new UsageError(`the input has no column "${column}"; it has ${heading.join(', ')}`);
      return { heading: null, column: 0 };
    },
    addressOf: (record, place) => (csvCells(record)[place] ?? '').trim(),
    write: (record, answer) =>
      [record, String(answer !== null), ...columns.map((name) => csvCell(answer?.[name]))].join(','),
  };
}

/** NDJSON: the object as it came, with the chosen signals in `signals`, which is null when the value is not an address. */
export function ndjsonFormat(column: string, columns: readonly string[]): BulkFormat {
  return {
    quoted: false,
    start: () => ({ heading: null, column: 0 }),
    addressOf(record) {
      const value = objectOf(record)[column];
      return typeof value === 'string' ? value.trim() : '';
    },
    write(record, answer) {
      const signals = answer && Object.fromEntries(columns.map((name) => [name, answer[name] ?? null]));
      return JSON.stringify({ ...objectOf(record), signals });
    },
  };
}

function objectOf(record: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(record);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below, with the line.
  }
  throw new Error(`a line of the input is not a JSON object: ${record.slice(0, 80)}`);
}
