import { csvCell, unquoted } from '../../../csv/csv-line.ts';
import { InputProblem, type InputRecord } from '../../../csv/scan-records.ts';
import { type Layout, positionOf } from './detect-layout.ts';
import { encodingOf, type TextEncoding } from './text-encoding.ts';

/** The signals of an address or a domain, or null when the text is neither. */
export type BulkAnswer = Readonly<Record<string, unknown>> | null;

/** How records are read and written, in units of the input's encoding. */
export interface BulkFormat {
  heading(record: InputRecord): string;
  /** The text to look up; throws an InputProblem when the record has none that can be read. */
  valueOf(record: InputRecord): string;
  write(record: InputRecord, answer: BulkAnswer): string;
  /** The output for a line of blanks. */
  blank(record: InputRecord): string;
  toBytes(written: string): Buffer;
}

/** CSV: the unchanged record, with the chosen columns after it. A record with too few cells gets empty ones. */
export function csvFormat(layout: Layout, columns: readonly string[]): BulkFormat {
  const { column, cells: width } = layout;
  const separator = layout.separator ?? ',';
  const encoding = encodingOf(layout.encoding);
  const lineOf = (record: InputRecord, added: readonly string[]): string => {
    const missing = separator.repeat(Math.max(0, width - record.cells.length));
    const units = encoded(record, `${missing}${separator}${added.join(separator)}`, encoding);
    return `${record.text}${units}${record.end || layout.newline}`;
  };
  return {
    heading: (record) => lineOf(record, ['valid', ...columns]),
    valueOf(record) {
      const { cells } = record;
      if (cells.length > width || cells.length <= column) {
        const [line, at] = positionOf(record, Math.min(cells.length - 1, width), encoding);
        throw new InputProblem(line, at, `this row has ${cells.length} cells, the first row has ${width}`);
      }
      const text = encoding.decode(unquoted(cells[column] ?? ''));
      if (text === null) throw notText(record, column, encoding);
      return text.trim();
    },
    write: (record, answer) =>
      lineOf(record, [String(answer !== null), ...columns.map((name) => csvCell(answer?.[name], separator))]),
    blank: ({ text, end }) => text + end,
    toBytes: encoding.toBytes,
  };
}

function notText(record: InputRecord, cell: number, encoding: TextEncoding): InputProblem {
  const [line, at] = positionOf(record, cell, encoding);
  return new InputProblem(line, at, `this cell is not ${encoding.name}; give --encoding, for example windows-1252`);
}

function encoded(record: InputRecord, text: string, encoding: TextEncoding): string {
  const units = encoding.encode(text);
  if (units === null)
    throw new InputProblem(record.line, 1, `${encoding.name} has no characters for ${text}; convert the file to UTF-8`);
  return units;
}

/** NDJSON: the unchanged object, with the chosen signals added as `signals`, which is null when the value is neither address nor domain. */
export function ndjsonFormat(layout: Layout, column: string, columns: readonly string[]): BulkFormat {
  const encoding = encodingOf(layout.encoding);
  return {
    heading: () => '',
    valueOf(record) {
      const text = encoding.decode(record.text);
      if (text === null) throw notText(record, 0, encoding);
      const object = objectOf(record.line, text);
      if (Object.hasOwn(object, 'signals'))
        throw new InputProblem(record.line, 1, 'this object already has a field "signals"; rename it');
      const value = object[column];
      return typeof value === 'string' ? value.trim() : '';
    },
    write(record, answer) {
      const { text, end } = record;
      const closing = text.lastIndexOf('}');
      const before = text.slice(0, closing);
      // Added to the text, because numbers beyond 2^53 would not survive being parsed and written again.
      const added = `${/\{\s*$/.test(before) ? '' : ','}"signals":${JSON.stringify(signalsOf(answer, columns))}`;
      return `${before}${encoded(record, added, encoding)}${text.slice(closing)}${end || layout.newline}`;
    },
    blank: ({ text, end }) => text + end,
    toBytes: encoding.toBytes,
  };
}

/** One JSON object per record for `--json`: its line, the value and the signals. */
export function jsonFormat(format: BulkFormat, columns: readonly string[]): BulkFormat {
  let isFirst = true;
  return {
    heading: () => '',
    valueOf: format.valueOf,
    write(record, answer) {
      const value = format.valueOf(record);
      const row = { line: record.line, value, valid: answer !== null, signals: signalsOf(answer, columns) };
      const text = `${isFirst ? '' : ','}\n${JSON.stringify(row)}`;
      isFirst = false;
      return text;
    },
    blank: () => '',
    toBytes: (text) => Buffer.from(text),
  };
}

function signalsOf(answer: BulkAnswer, columns: readonly string[]): object | null {
  return answer && Object.fromEntries(columns.map((name) => [name, answer[name] ?? null]));
}

function objectOf(line: number, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below, with the line.
  }
  throw new InputProblem(line, 1, `this line is not a JSON object: ${text.slice(0, 80)}`);
}
