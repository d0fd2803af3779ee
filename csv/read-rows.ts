import { readCell, separators } from './csv-line.ts';
import { InputProblem, type InputRecord, scanRecords } from './scan-records.ts';

/** A row of a file, and the line on which it begins, from 1. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A row of a table with named columns. */
export interface TableRow {
  readonly line: number;
  /** The text in a column; empty if the row or the table lacks it. */
  cell(column: string): string;
}

/** Which records are not rows, such as comments. */
type Skips = (record: InputRecord) => boolean;

/** Characters scanned in one piece, so that a reader can yield the event loop between rows. */
const pieceLength = 65_536;

/**
 * The rows of a table whose heading names `column`, in any order and case and with any of the separators. A text without that
 * heading is a table of one column: each line is a cell.
 */
export function* readTable(text: string, column: string, skips: Skips = () => false): Generator<TableRow> {
  const named = (cells: readonly string[]) => cells.map((cell) => cell.toLowerCase());
  const { separator, body, line } = chooseSeparator(text, skips, (cells) =>
    named(cells).includes(column) ? cells.length : 0,
  );
  let columns: readonly string[] | null = separator === null ? [column] : null;
  for (const row of rowsOf(body, separator, line, skips)) {
    if (columns === null) columns = named(row.cells);
    else yield tableRow(row, columns);
  }
}

function tableRow({ line, cells }: Row, columns: readonly string[]): TableRow {
  // A text with separators that was not quoted: part of it would be lost.
  if (cells.slice(columns.length).some((cell) => cell !== ''))
    throw new InputProblem(line, 1, `this row has ${cells.length} cells, the heading has ${columns.length}`);
  return { line, cell: (column) => cells[columns.indexOf(column)] ?? '' };
}

/** The rows of a file, cut at the separator that gives the first row most cells. */
export function* readRows(text: string, skips: Skips = () => false): Generator<Row> {
  const { separator, body, line } = chooseSeparator(text, skips, ({ length }) => length);
  yield* rowsOf(body, separator, line, skips);
}

/** A separator that the first line declares, as Excel does: `sep=;`. */
export const declaredSeparator = /^sep=(.)(?:\r\n|\n|\r)/i;

interface Choice {
  /** Null: lines without cells. */
  readonly separator: string | null;
  readonly body: string;
  readonly line: number;
}

/** Chooses the separator with which the first row rates highest; none if it rates 0 with each. */
function chooseSeparator(text: string, skips: Skips, rate: (cells: readonly string[]) => number): Choice {
  const declared = declaredSeparator.exec(text);
  if (declared !== null) return { separator: declared[1] ?? ',', body: text.slice(declared[0].length), line: 2 };
  let best: { readonly separator: string | null; readonly rate: number } = { separator: null, rate: 0 };
  for (const separator of separators) {
    const first = firstRow(text, separator, skips);
    const rated = first === null ? 0 : rate(first.cells);
    if (rated > best.rate) best = { separator, rate: rated };
  }
  return { separator: best.separator, body: text, line: 1 };
}

function firstRow(text: string, separator: string, skips: Skips): Row | null {
  const head = text.slice(0, pieceLength);
  const { records } = scanRecords(head, separator, 1, head.length === text.length);
  const record = records.find((each) => each.text.trim() !== '' && !skips(each));
  return record === undefined ? null : { line: record.line, cells: record.cells.map(readCell) };
}

function* rowsOf(text: string, separator: string | null, line: number, skips: Skips): Generator<Row> {
  const cellsOf = ({ text: whole, cells }: InputRecord) => (separator === null ? [whole.trim()] : cells.map(readCell));
  for (const record of records(text, separator, line))
    if (record.text.trim() !== '' && !skips(record)) yield { line: record.line, cells: cellsOf(record) };
}

/** The records of a text; throws an InputProblem where it cannot be read. */
function* records(text: string, separator: string | null, line: number): Generator<InputRecord> {
  let current = line;
  let length = pieceLength;
  for (let at = 0; at < text.length; ) {
    const isLast = at + length >= text.length;
    const scan = scanRecords(text.slice(at, at + length), separator, current, isLast);
    yield* scan.records;
    if (scan.problem !== undefined) throw scan.problem;
    // A record that is longer than the piece is scanned again in a longer one.
    length = scan.records.length === 0 ? 2 * length : pieceLength;
    at += scan.restAt;
    current = scan.restLine;
  }
}
