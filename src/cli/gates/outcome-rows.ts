import { parseAddress } from '../../address/address.ts';
import { normalizeAddress } from '../../address/normalize.ts';
import { type OutcomeName, outcomeNames } from '../../gates/decisions/outcome.ts';
import type { ReportedOutcome } from '../../gates/outcomes/outcomes-input.ts';
import { characterCount, isStorableText } from '../../input/json-value.ts';
import { ulidIn } from '../../ulid.ts';
import { isNamed, plainName } from '../bulk/column-names.ts';
import { peek, recordChunks } from '../bulk/record-chunks.ts';
import { type InputRecord, isBlank, scanRecords, unquoted } from '../bulk/scan-records.ts';
import { detectEncoding, encodingOf } from '../bulk/text-encoding.ts';
import { UsageError } from '../command.ts';

/** A line of an input: an outcome, or what is wrong with it. */
export type OutcomeRow = { readonly line: number } & (
  | { readonly item: ReportedOutcome }
  | { readonly problem: string }
);

/** The options about the input. */
export interface OutcomeRowOptions {
  /** For a file without a column `outcome`. */
  readonly outcome: OutcomeName | undefined;
  readonly column: string | undefined;
}

const headBytes = 65_536;
const separators = [',', ';', '\t'];
const idNames = new Set(['decisionid', 'decision', 'id']);
const longestReason = 200;

/** Which cells hold what; -1 for none. */
interface Columns {
  readonly subject: number;
  readonly outcome: number;
  readonly reason: number;
  readonly hasHeading: boolean;
}

/** The outcomes of a CSV file with a column of decision ids or addresses. */
export async function* outcomeRows(
  stream: AsyncIterable<Uint8Array>,
  options: OutcomeRowOptions,
): AsyncGenerator<OutcomeRow> {
  const { head, isWhole, input } = await peek(stream, headBytes);
  const { name, markBytes } = detectEncoding(head, null);
  const encoding = encodingOf(name);
  const cut = head.length - ((head.length - markBytes) % encoding.unitBytes);
  const units = encoding.toUnits(head.subarray(markBytes, cut));
  const firstOf = (separator: string): InputRecord | undefined => scanRecords(units, separator, 1, isWhole).records[0];
  const separator = separators.toSorted(
    (one, other) => (firstOf(other)?.cells.length ?? 0) - (firstOf(one)?.cells.length ?? 0),
  )[0];
  const cellsOf = ({ cells, line }: InputRecord): (string | null)[] =>
    cells.map((cell, index) => {
      const text = encoding.decode(unquoted(cell))?.trim() ?? null;
      return line === 1 && index === 0 && text !== null ? text.replace(/^\uFEFF/, '').trim() : text;
    });
  const layout = {
    encoding: name,
    hasMark: false,
    leadBytes: 0,
    leadLines: 0,
    separator: separator ?? ',',
    hasHeading: false,
    column: 0,
    cells: 1,
    newline: '\n',
  };
  let columns: Columns | undefined;
  for await (const { records, problem } of recordChunks(
    input,
    { inputBytes: 0, inputSha256: null, inputLines: 0 },
    layout,
  )) {
    for (const record of records) {
      if (isBlank(record)) continue;
      const cells = cellsOf(record);
      const isFirst = columns === undefined;
      columns ??= columnsOf(cells, options);
      if (!isFirst || !columns.hasHeading) yield { line: record.line, ...readRow(cells, columns, options.outcome) };
    }
    if (problem !== undefined) throw problem;
  }
}

function columnsOf(cells: readonly (string | null)[], { column, outcome }: OutcomeRowOptions): Columns {
  const names = cells.map((cell) => plainName(cell ?? ''));
  const find = (isWanted: (name: string) => boolean): number => names.findIndex(isWanted);
  const byContent = cells.findIndex((cell) => subjectOf(cell) !== null);
  const chosen = column === undefined ? -1 : find((name) => name === plainName(column));
  if (column !== undefined && chosen < 0) throw new UsageError(`the file has no column "${column}"`);
  const byName = [chosen, find((name) => idNames.has(name)), cells.findIndex((cell) => isNamed(cell ?? '', 'address'))];
  const named = byContent < 0 || chosen >= 0 ? byName.find((index) => index >= 0) : undefined;
  const subject = named ?? byContent;
  if (subject < 0)
    throw new UsageError('the first line names no column of addresses or decision ids; give --column NAME');
  const found: Columns = {
    subject,
    outcome: named === undefined ? -1 : find((name) => name === 'outcome'),
    reason: named === undefined ? -1 : find((name) => name === 'reason'),
    hasHeading: named !== undefined,
  };
  if (found.outcome < 0 && outcome === undefined)
    throw new UsageError('the file has no column "outcome"; give --outcome good or bad');
  return found;
}

function readRow(
  cells: readonly (string | null)[],
  columns: Columns,
  standard: OutcomeName | undefined,
): { item: ReportedOutcome } | { problem: string } {
  const about = subjectOf(cells[columns.subject] ?? null);
  if (about === null) return { problem: 'this is neither an address nor a decision id' };
  const written = columns.outcome < 0 ? undefined : cells[columns.outcome]?.toLowerCase();
  const outcome = written === undefined || written === '' ? standard : outcomeNames.find((name) => name === written);
  if (outcome === undefined) return { problem: 'the outcome is neither good nor bad' };
  const reason = columns.reason < 0 ? '' : (cells[columns.reason] ?? '');
  if (characterCount(reason) > longestReason || !isStorableText(reason))
    return { problem: 'the reason must be text of at most 200 characters' };
  return { item: { about, outcome, reason: reason === '' ? null : reason } };
}

function subjectOf(cell: string | null): ReportedOutcome['about'] | null {
  if (cell === null) return null;
  const decisionId = ulidIn(cell);
  if (decisionId !== null) return { decisionId };
  const address = parseAddress(cell);
  return address === null ? null : { address: normalizeAddress(address) };
}
