import { separators, unquoted } from '../../../csv/csv-line.ts';
import { detectEncoding, type EncodingName } from '../../../csv/decode-text.ts';
import { declaredSeparator } from '../../../csv/read-rows.ts';
import { type InputRecord, isBlank, scanRecords } from '../../../csv/scan-records.ts';
import { addressSubject, domainSubject } from '../../signals/subject.ts';
import { UsageError } from '../command.ts';
import { isNamed, plainName } from './column-names.ts';
import { encodingNamed, encodingOf, type TextEncoding } from './text-encoding.ts';

/** How an input is read. Part of the recorded progress, so it contains nothing of the input's content. */
export interface Layout {
  readonly encoding: EncodingName;
  readonly hasMark: boolean;
  /** The bytes before the first record: the byte order mark, and a line such as `sep=;`. */
  readonly leadBytes: number;
  readonly leadLines: number;
  /** Null for lines of JSON. */
  readonly separator: string | null;
  readonly hasHeading: boolean;
  /** The cell with the value, and the number of cells of a record. */
  readonly column: number;
  readonly cells: number;
  readonly newline: string;
}

/** The options about the input. */
export interface LayoutOptions {
  readonly format: 'csv' | 'ndjson';
  readonly separator: string | undefined;
  readonly encoding: string | undefined;
  readonly column: string | undefined;
  readonly domains: boolean;
}

/** A layout, and the name of the column for the report. */
export interface Detected {
  readonly layout: Layout;
  readonly columnName: string | null;
}

/** How many records of the beginning are compared. */
const sampleSize = 200;

/** Detects the layout of an input from its beginning; throws when it is ambiguous. */
export function detectLayout(head: Uint8Array, isWhole: boolean, options: LayoutOptions): Detected {
  const named = options.encoding === undefined ? null : encodingNamed(options.encoding);
  const { name, markBytes } = detectEncoding(head, named);
  const encoding = encodingOf(name);
  const whole = head.subarray(markBytes, head.length - ((head.length - markBytes) % encoding.unitBytes));
  const units = encoding.toUnits(whole);
  const declared = options.format === 'csv' ? declaredSeparator.exec(units) : null;
  const lead = declared?.[0] ?? '';
  const body = units.slice(lead.length);
  const base = {
    encoding: name,
    hasMark: markBytes > 0,
    leadBytes: markBytes + encoding.toBytes(lead).length,
    leadLines: declared === null ? 0 : 1,
    newline: /\r\n|\n|\r/.exec(body)?.[0] ?? '\n',
  };
  if (options.format === 'ndjson')
    return {
      layout: { ...base, separator: null, hasHeading: false, column: 0, cells: 1 },
      columnName: options.column ?? null,
    };
  const possible = separatorsOf(options.separator, declared?.[1]);
  const readings = possible.map((separator) => readAs(separator, { body, isWhole, encoding, options }));
  const several = readings.filter(({ width }) => width > 1);
  const [best] = (several.length > 0 ? several : readings).sort((a, b) => score(b) - score(a));
  if (best === undefined) throw new UsageError('the input has no separator');
  if (best.found instanceof Error) throw best.found;
  const { column, hasHeading } = best.found;
  const layout = { ...base, separator: best.separator, hasHeading, column, cells: best.width };
  return { layout, columnName: hasHeading ? (best.heading[column] ?? null) : null };
}

function separatorsOf(option: string | undefined, declared: string | undefined): readonly string[] {
  if (option === undefined) return declared === undefined ? separators : [declared];
  const separator = option === 'tab' || option === '\\t' ? '\t' : option;
  if (!/^(?:\t|(?!")[ -~])$/.test(separator)) throw new UsageError('--separator is one ASCII character, or "tab"');
  return [separator];
}

interface Reading {
  readonly separator: string;
  readonly heading: readonly string[];
  readonly width: number;
  /** The share of records with as many cells as the first. */
  readonly share: number;
  readonly found: Column | Error;
}

interface Column {
  readonly column: number;
  readonly hasHeading: boolean;
}

/** A found column counts most, then records of equal length, then many cells. */
function score({ found, share, width }: Reading): number {
  return (found instanceof Error ? 0 : 1_000_000) + share * 1_000 + Math.min(width, 500);
}

interface Sample {
  readonly body: string;
  readonly isWhole: boolean;
  readonly encoding: TextEncoding;
  readonly options: LayoutOptions;
}

function readAs(separator: string, { body, isWhole, encoding, options }: Sample): Reading {
  const scan = scanRecords(body, separator, 1, isWhole);
  const scanned = scan.records.length > 0 || isWhole ? scan : scanRecords(body, separator, 1, true);
  const records = scanned.records.filter((record) => !isBlank(record)).slice(0, sampleSize);
  const rows = records.map(({ cells }) => cells.map((cell) => textOf(cell, encoding)));
  const [heading = [], ...others] = rows;
  const width = Math.max(1, heading.length);
  const equal = rows.filter((row) => row.length === width).length;
  const found =
    records.length === 0 && scanned.problem !== undefined ? scanned.problem : findColumn(heading, others, options);
  return { separator, heading, width, share: rows.length === 0 ? 0 : equal / rows.length, found };
}

const textOf = (cell: string, encoding: TextEncoding): string => (encoding.decode(unquoted(cell)) ?? '').trim();

/** The column by its name, or the only one that holds values. */
function findColumn(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  options: LayoutOptions,
): Column | Error {
  const isValue = (text: string): boolean =>
    addressSubject(text) !== null || (options.domains && !text.includes('@') && domainSubject(text) !== null);
  if (options.column !== undefined) return chosenColumn(heading, options.column, isValue);
  const kinds = options.domains ? (['domain', 'address'] as const) : (['address'] as const);
  const common = options.domains ? 'domain' : 'email';
  const exact = indexes(heading, (name) => name.toLowerCase() === common);
  const byName = [exact, ...kinds.map((kind) => indexes(heading, (name) => isNamed(name, kind)))];
  const [column, another] = byName.find(({ length }) => length > 0) ?? [];
  if (column !== undefined && another === undefined) return { column, hasHeading: true };
  if (column !== undefined && another !== undefined)
    return new UsageError(
      `several columns could hold the values: ${heading[column]} (${column + 1}) and ${heading[another]} (${another + 1}); choose one with --column`,
    );
  if (heading.length <= 1) return onlyColumn(heading[0] ?? '', rows, isValue, options);
  const byContent = indexes(heading, (_, index) =>
    mostly(
      rows.map((row) => row[index] ?? ''),
      isValue,
    ),
  );
  const [only, ...more] = byContent;
  if (only !== undefined && more.length === 0) return { column: only, hasHeading: !isValue(heading[only] ?? '') };
  return noColumn(heading, options);
}

/** A file of one column needs no heading. */
function onlyColumn(
  first: string,
  rows: readonly (readonly string[])[],
  isValue: (text: string) => boolean,
  options: LayoutOptions,
): Column | Error {
  const cells = rows.map(([cell = '']) => cell);
  const isDomains = isNamed(first, 'domain') || mostly([first, ...cells], (text) => domainSubject(text) !== null);
  if (!options.domains && isDomains) return noColumn([first], options);
  return { column: 0, hasHeading: /mail/.test(plainName(first)) && !isValue(first) };
}

function noColumn(heading: readonly string[], { domains }: LayoutOptions): UsageError {
  const isDomains = heading.some((name) => isNamed(name, 'domain') || domainSubject(name) !== null);
  const hint = !domains && isDomains ? ', --domains for a file of domains' : '';
  const kind = domains ? 'domains' : 'addresses';
  return new UsageError(
    `line 1, column 1: no column of ${kind} found among ${heading.join(', ')}; give --column NAME or its number${hint}, or --separator if these are not the cells`,
  );
}

function chosenColumn(heading: readonly string[], chosen: string, isValue: (text: string) => boolean): Column | Error {
  const wanted = chosen.trim().toLowerCase();
  const exact = indexes(heading, (name) => name.toLowerCase() === wanted);
  const similar = exact.length > 0 ? exact : indexes(heading, (name) => plainName(name) === plainName(chosen));
  const [column, another] = similar;
  if (another !== undefined)
    return new UsageError(`line 1: several columns are called "${chosen}"; give --column its number`);
  if (column !== undefined) return { column, hasHeading: true };
  const number = /^[1-9]\d{0,4}$/.test(chosen) ? Number(chosen) - 1 : -1;
  if (number >= 0 && number < heading.length) return { column: number, hasHeading: !isValue(heading[number] ?? '') };
  return new UsageError(`line 1, column 1: the input has no column "${chosen}"; it has ${heading.join(', ')}`);
}

function indexes(heading: readonly string[], test: (name: string, index: number) => boolean): number[] {
  return heading.flatMap((name, index) => (test(name, index) ? [index] : []));
}

function mostly(cells: readonly string[], test: (cell: string) => boolean): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length > 0 && filled.filter(test).length >= filled.length * 0.8;
}

const separatorNames: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/** One sentence about a layout. */
export function describeLayout({ layout, columnName }: Detected): string {
  const { encoding, hasMark, separator, hasHeading, column } = layout;
  const text = `${encoding}${hasMark ? ' with a byte order mark' : ''}`;
  if (separator === null) return `NDJSON, ${text}, field "${columnName ?? ''}"`;
  const name = columnName === null ? '' : ` "${columnName}"`;
  const separated = layout.cells > 1 ? `, separator ${separatorNames[separator] ?? `"${separator}"`}` : '';
  return `CSV, ${text}${separated}, ${hasHeading ? 'with' : 'without'} a heading, values in column ${column + 1}${name}`;
}

/** Where in its line a cell of a record begins: line and column, both from 1. */
export function positionOf(record: InputRecord, cell: number, encoding: TextEncoding): readonly [number, number] {
  const before = record.cells
    .slice(0, cell)
    .map((each) => `${each},`)
    .join('');
  const lines = before.split(/\r\n|\r|\n/);
  const inLine = lines.at(-1) ?? '';
  return [record.line + lines.length - 1, (encoding.decode(inLine) ?? inLine).length + 1];
}
