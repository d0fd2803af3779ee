import { didYouMean } from '../help.ts';

/** One row of a labelled file: a value, its label, and the reason for the label. */
export interface LabelledRow {
  readonly value: string;
  /** The field that the label is about. */
  readonly field: string;
  /** The expected value; null means false, or no suggestion. */
  readonly expected: true | string | null;
  readonly reason: string;
}

/** The accuracy of one field. */
export interface FieldScore {
  readonly field: string;
  /** Rows with a positive label, and those that were found. */
  readonly positives: number;
  readonly found: number;
  /** Rows with a negative label, and those that were flagged. */
  readonly negatives: number;
  readonly falsePositives: number;
}

/** A row with another answer than its label. */
export interface WrongRow extends LabelledRow {
  readonly answer: unknown;
}

/**
 * Reads `value,label` lines, with a reason after them if there is one. A label is a field that must be true
 * (`disposable`), one that must be false or null (`!disposable`), or one with its value (`did_you_mean:gmail.com`). A first
 * line `value,label…` and lines that start with `#` are skipped. Throws with the number of the first line that is wrong.
 */
export function parseLabelled(text: string, fields: ReadonlySet<string>): LabelledRow[] {
  return text.split('\n').flatMap((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || (index === 0 && line.startsWith('value,label'))) return [];
    const parts = /^("(?:[^"]|"")*"|[^,]*),([^,]+)(?:,(.*))?$/.exec(line);
    if (parts === null) throw new Error(`line ${index + 1}: not value,label`);
    const [, value = '', label = '', reason = ''] = parts;
    const [, isNot, field = '', expected] = /^(!?)([a-z_]+)(?::(.+))?$/.exec(label.trim()) ?? [];
    if (!fields.has(field)) throw new Error(unknownLabel(index + 1, label, field, fields));
    return [
      { value: unquoted(value), field, expected: isNot === '!' ? null : (expected ?? true), reason: unquoted(reason) },
    ];
  });
}

function unknownLabel(line: number, label: string, field: string, fields: ReadonlySet<string>): string {
  const hint = didYouMean(field, fields);
  return `line ${line}: there is no field for the label "${label}"${hint}; signalpost accuracy --labels lists them`;
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1).replaceAll('""', '"') : trimmed;
}

/** Scores answers against labels, field by field. `answerOf` gives the body of a row's lookup, null for a value that is not valid. */
export function score(
  rows: readonly LabelledRow[],
  answerOf: (row: LabelledRow) => Readonly<Record<string, unknown>> | null,
): { readonly scores: readonly FieldScore[]; readonly wrong: readonly WrongRow[] } {
  const byField = new Map<string, { positives: number; found: number; negatives: number; falsePositives: number }>();
  const wrong: WrongRow[] = [];
  for (const row of rows) {
    const counts = byField.get(row.field) ?? { positives: 0, found: 0, negatives: 0, falsePositives: 0 };
    byField.set(row.field, counts);
    const answer = answerOf(row)?.[row.field] ?? null;
    const isRight = row.expected === null ? saysNothing(answer) : sayTheSame(answer, row);
    if (row.expected === null) counts.negatives += 1;
    else counts.positives += 1;
    if (row.expected !== null && isRight) counts.found += 1;
    if (row.expected === null && !isRight) counts.falsePositives += 1;
    if (!isRight) wrong.push({ ...row, answer });
  }
  return { scores: Array.from(byField, ([field, counts]) => ({ field, ...counts })), wrong };
}

function saysNothing(answer: unknown): boolean {
  return answer === null || answer === false || (Array.isArray(answer) && answer.length === 0);
}

/** A suggestion for an address is a whole address: its domain counts. */
function sayTheSame(answer: unknown, { value, expected }: LabelledRow): boolean {
  if (expected === true) return answer === true;
  const said = String(answer);
  return said === expected || (value.includes('@') && said.slice(said.lastIndexOf('@') + 1) === expected);
}
