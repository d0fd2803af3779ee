import { csvLine } from '../../../csv/csv-line.ts';

interface Entry {
  readonly id: string;
  readonly created_at: string;
  readonly gate: { readonly name: string };
  readonly input: { readonly email?: string; readonly domain?: string; readonly ip?: string | null };
  readonly action: string;
  readonly matched_rule: { readonly name: string } | null;
}

const header = ['id', 'created_at', 'gate', 'subject', 'ip', 'action', 'rule'];
const allowedColumns = ['decision_id', 'created_at', 'gate_id', 'email', 'ip', 'outcome'] as const;

/** Log entries as CSV. */
export function logCsv(entries: readonly Entry[]): string {
  const rows = entries.map(({ id, created_at, gate, input, action, matched_rule }) => [
    id,
    created_at,
    gate.name,
    input.email ?? input.domain ?? '',
    input.ip ?? '',
    action,
    matched_rule?.name ?? '',
  ]);
  return [header, ...rows].map((row) => csvLine(row, '\r\n')).join('');
}

/** The allowed decisions of a wave as CSV. */
export function allowedCsv(
  decisions: readonly Readonly<Record<(typeof allowedColumns)[number], string | null>>[],
): string {
  const rows = decisions.map((decision) => allowedColumns.map((column) => decision[column]));
  return [allowedColumns, ...rows].map((row) => csvLine(row, '\r\n')).join('');
}
