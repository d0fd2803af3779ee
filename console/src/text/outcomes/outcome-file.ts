import { readRows } from '../../../../csv/read-rows.ts';
import { InputProblem } from '../../../../csv/scan-records.ts';
import { kindOfSubject } from '../subjects.ts';

/** An outcome as `POST /v1/outcomes` takes it. */
export type OutcomeItem = ({ email: string } | { decision_id: string }) & {
  outcome: 'good' | 'bad';
  reason?: string;
};

/** The columns, items and invalid lines of a file of outcomes. */
export interface OutcomeFile {
  /** The column of addresses or decision ids; null for a file without a heading. */
  readonly subjectColumn: string | null;
  /** The column of outcomes; null where every line has the chosen one. */
  readonly outcomeColumn: string | null;
  readonly items: readonly { readonly line: number; readonly item: OutcomeItem }[];
  readonly wrong: readonly { readonly line: number; readonly text: string; readonly problem: string }[];
}

const subjectNames = new Set(['email', 'emailaddress', 'address', 'mail', 'decisionid', 'decision', 'id']);
const outcomeNames = new Set(['outcome', 'result', 'label']);
const reasonNames = new Set(['reason', 'note']);
const maxReason = 200;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');
const isSubject = (cell: string): boolean => ['email', 'decision'].includes(kindOfSubject(cell.trim()) ?? '');

/** Reads a CSV file with a column of addresses or decision ids; a string says why it cannot be read. */
export function readOutcomeFile(text: string, chosen: 'good' | 'bad'): OutcomeFile | string {
  try {
    const [first, ...others] = readRows(text);
    if (first === undefined) return 'The file is empty.';
    const names = first.cells.map(plain);
    const byContent = first.cells.findIndex(isSubject);
    const subject = byContent >= 0 ? byContent : names.findIndex((name) => subjectNames.has(name));
    if (subject < 0) return 'The first line names no column of addresses or decision ids, such as “email”.';
    const hasHeading = byContent < 0;
    const columnOf = (wanted: ReadonlySet<string>) => (hasHeading ? names.findIndex((name) => wanted.has(name)) : -1);
    const columns = { subject, outcome: columnOf(outcomeNames), reason: columnOf(reasonNames) };
    const items: OutcomeFile['items'][number][] = [];
    const wrong: OutcomeFile['wrong'][number][] = [];
    for (const { line, cells } of hasHeading ? others : [first, ...others]) {
      const read = readLine(cells, columns, chosen);
      if (typeof read === 'string') wrong.push({ line, text: cells.join(', ').slice(0, 80), problem: read });
      else items.push({ line, item: read });
    }
    const nameAt = (place: number) => (place < 0 || !hasHeading ? null : (first.cells[place] ?? null));
    return { subjectColumn: nameAt(subject), outcomeColumn: nameAt(columns.outcome), items, wrong };
  } catch (error) {
    if (error instanceof InputProblem) return error.message;
    throw error;
  }
}

function readLine(
  cells: readonly string[],
  columns: { readonly subject: number; readonly outcome: number; readonly reason: number },
  chosen: 'good' | 'bad',
): OutcomeItem | string {
  const subject = (cells[columns.subject] ?? '').trim();
  const kind = kindOfSubject(subject);
  if (kind !== 'email' && kind !== 'decision') return 'neither an address nor a decision id';
  const written = (cells[columns.outcome] ?? '').trim().toLowerCase();
  if (written !== '' && written !== 'good' && written !== 'bad') return 'the outcome is neither good nor bad';
  const outcome = written === '' ? chosen : written;
  const reason = (cells[columns.reason] ?? '').trim();
  if ([...reason].length > maxReason) return `the reason has more than ${maxReason} characters`;
  return {
    ...(kind === 'email' ? { email: subject } : { decision_id: subject }),
    outcome,
    ...(reason !== '' && { reason }),
  };
}
