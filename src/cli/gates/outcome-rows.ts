import { readRows } from '../../../csv/read-rows.ts';
import { parseAddress } from '../../address/address.ts';
import { normalizeAddress } from '../../address/normalize.ts';
import { type OutcomeName, outcomeNames } from '../../gates/decisions/outcome.ts';
import type { ReportedOutcome } from '../../gates/outcomes/outcomes-input.ts';
import { characterCount, isStorableText } from '../../input/json-value.ts';
import { ulidIn } from '../../ulid.ts';
import { isNamed, plainName } from '../bulk/column-names.ts';
import { UsageError } from '../command.ts';

/** A line of an input: an outcome, or the problem with the line. */
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

const idNames = new Set(['decisionid', 'decision', 'id']);
/** Usual headings of the column with good or bad. */
const outcomeColumns = new Set(['outcome', 'result']);
const longestReason = 200;

/** The positions of the cells; -1 for none. */
interface Columns {
  readonly subject: number;
  readonly outcome: number;
  readonly reason: number;
  readonly hasHeading: boolean;
}

/** The outcomes of a CSV file with a column of decision ids or addresses. */
export function outcomeRows(text: string, options: OutcomeRowOptions): OutcomeRow[] {
  const [first, ...others] = readRows(text);
  if (first === undefined) return [];
  const columns = columnsOf(first.cells, options);
  const rows = columns.hasHeading ? others : [first, ...others];
  return rows.map(({ line, cells }) => ({ line, ...readRow(cells, columns, options.outcome) }));
}

function columnsOf(cells: readonly string[], { column, outcome }: OutcomeRowOptions): Columns {
  const names = cells.map(plainName);
  const find = (isWanted: (name: string) => boolean): number => names.findIndex(isWanted);
  const byContent = cells.findIndex((cell) => subjectOf(cell) !== null);
  const chosen = column === undefined ? -1 : find((name) => name === plainName(column));
  if (column !== undefined && chosen < 0) throw new UsageError(`the file has no column "${column}"`);
  const byName = [chosen, find((name) => idNames.has(name)), cells.findIndex((cell) => isNamed(cell, 'address'))];
  const named = byContent < 0 || chosen >= 0 ? byName.find((index) => index >= 0) : undefined;
  const subject = named ?? byContent;
  if (subject < 0)
    throw new UsageError('the first line names no column of addresses or decision ids; give --column NAME');
  const found: Columns = {
    subject,
    outcome: named === undefined ? -1 : find((name) => outcomeColumns.has(name)),
    reason: named === undefined ? -1 : find((name) => name === 'reason'),
    hasHeading: named !== undefined,
  };
  if (found.outcome < 0 && outcome === undefined)
    throw new UsageError('the file has no column "outcome" or "result"; give --outcome good or bad');
  return found;
}

function readRow(
  cells: readonly string[],
  columns: Columns,
  standard: OutcomeName | undefined,
): { item: ReportedOutcome } | { problem: string } {
  const about = subjectOf(cells[columns.subject] ?? '');
  if (about === null) return { problem: 'this is neither an address nor a decision id' };
  const written = columns.outcome < 0 ? undefined : cells[columns.outcome]?.trim().toLowerCase();
  const outcome = written === undefined || written === '' ? standard : outcomeNames.find((name) => name === written);
  if (outcome === undefined) return { problem: 'the outcome is neither good nor bad' };
  const reason = columns.reason < 0 ? '' : (cells[columns.reason] ?? '');
  if (characterCount(reason) > longestReason || !isStorableText(reason))
    return { problem: 'the reason must be text of at most 200 characters' };
  return { item: { about, outcome, reason: reason === '' ? null : reason } };
}

function subjectOf(cell: string): ReportedOutcome['about'] | null {
  const decisionId = ulidIn(cell.trim());
  if (decisionId !== null) return { decisionId };
  const address = parseAddress(cell.trim());
  return address === null ? null : { address: normalizeAddress(address) };
}
