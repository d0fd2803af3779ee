/** One record of an input, in units of its encoding. */
export interface InputRecord {
  /** Without the line end. */
  readonly text: string;
  /** The line end; empty when the input ends without one. */
  readonly end: string;
  /** The cells with their quotes; of a format without cells, the whole record. */
  readonly cells: readonly string[];
  /** The line of the input on which it begins, from 1. */
  readonly line: number;
}

/** The complete records of a text, the start of the incomplete rest, and the problem that ends the scan. */
export interface Scan {
  readonly records: readonly InputRecord[];
  readonly restAt: number;
  readonly restLine: number;
  readonly problem?: InputProblem;
}

/** The input cannot be read from this position on. */
export class InputProblem extends Error {
  constructor(line: number, column: number, sentence: string) {
    super(`line ${line}, column ${column}: ${sentence}`);
  }
}

const isBreak = (unit: string | undefined): boolean => unit === '\n' || unit === '\r';

/**
 * Cuts units into records and cells (RFC 4180 with any separator; null: lines without cells). A quote counts only at the
 * start of a cell. LF, CRLF and CR end a record. `isLast` says that no more follows.
 */
export function scanRecords(units: string, separator: string | null, line: number, isLast: boolean): Scan {
  const records: InputRecord[] = [];
  let at = 0;
  let current = line;
  while (at < units.length) {
    const cells: string[] = [];
    const start = at;
    let lineInside = current;
    for (;;) {
      const cellAt = at;
      if (separator !== null && units[at] === '"') {
        const closedAt = closingQuote(units, at);
        if (closedAt < 0 && !isLast) return { records, restAt: start, restLine: current };
        const next = units[closedAt + 1];
        if (closedAt < 0 || (next !== undefined && next !== separator && !isBreak(next))) {
          const column = cellAt - lastBreak(units, start, cellAt);
          const problem = new InputProblem(lineInside, column, quoteProblem(units, cellAt, closedAt, lineInside));
          return { records, restAt: start, restLine: current, problem };
        }
        lineInside += breaksIn(units.slice(cellAt, closedAt));
        at = closedAt + 1;
      }
      while (at < units.length && units[at] !== separator && !isBreak(units[at])) at += 1;
      cells.push(units.slice(cellAt, at));
      if (at >= units.length || units[at] !== separator) break;
      at += 1;
    }
    const isCut = at >= units.length || (units[at] === '\r' && at + 1 >= units.length);
    if (isCut && !isLast) return { records, restAt: start, restLine: current };
    const end = lineEnd(units, at);
    records.push({ text: units.slice(start, at), end, cells, line: current });
    at += end.length;
    current = lineInside + 1;
  }
  return { records, restAt: units.length, restLine: current };
}

function lineEnd(units: string, at: number): string {
  if (units[at] === '\r' && units[at + 1] === '\n') return '\r\n';
  return units[at] ?? '';
}

/** Where the quoted cell ends that begins here; -1 when it does not. */
function closingQuote(units: string, openAt: number): number {
  let at = units.indexOf('"', openAt + 1);
  while (at >= 0 && units[at + 1] === '"') at = units.indexOf('"', at + 2);
  return at;
}

function quoteProblem(units: string, openAt: number, closedAt: number, line: number): string {
  if (closedAt < 0) return 'the quote that opens here is never closed';
  const closedOn = line + breaksIn(units.slice(openAt, closedAt));
  return `the quoted cell that opens here is followed by text after its closing quote on line ${closedOn}; a quote is missing, or one inside the cell is not doubled`;
}

const breaksIn = (units: string): number => units.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Where the last line break before this position is; one before the start when there is none since. */
function lastBreak(units: string, start: number, before: number): number {
  const inside = units.slice(start, before);
  return start + Math.max(inside.lastIndexOf('\n'), inside.lastIndexOf('\r'));
}

/** Nothing but blanks: neither a record nor a heading. */
export const isBlank = ({ text }: InputRecord): boolean => /^ *$/.test(text);
