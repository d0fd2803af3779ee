import { csvLine } from '../../../csv/csv-line.ts';
import type { Span } from './ranges.ts';
import { isoDay } from './times.ts';

interface Entry {
  readonly id: string;
  readonly created_at: string;
  readonly gate: { readonly name: string };
  readonly input: { readonly email?: string; readonly domain?: string; readonly ip?: string | null };
  readonly action: string;
  readonly matched_rule: { readonly name: string } | null;
  readonly outcome: string | null;
}

const header = ['id', 'created_at', 'gate', 'subject', 'ip', 'action', 'rule', 'outcome'];
const allowedColumns = ['decision_id', 'created_at', 'gate_id', 'email', 'ip', 'outcome'] as const;

/** Log entries as CSV. */
export function logCsv(entries: readonly Entry[]): string {
  const rows = entries.map(({ id, created_at, gate, input, action, matched_rule, outcome }) => [
    id,
    created_at,
    gate.name,
    input.email ?? input.domain ?? '',
    input.ip ?? '',
    action,
    matched_rule?.name ?? '',
    outcome ?? '',
  ]);
  return [header, ...rows].map((row) => csvLine(row, '\r\n')).join('');
}

/** The name of an exported file: the environment and the days of its span, or of its entries where the span is open. */
export function exportName(
  environment: string,
  { from, to }: Span,
  entries: readonly Pick<Entry, 'created_at'>[],
): string {
  const first = from ?? entries.at(-1)?.created_at;
  // The end is not part of the span.
  const last = to === undefined ? entries[0]?.created_at : new Date(Date.parse(to) - 1);
  const days = [first, last].flatMap((at) => (at === undefined ? [] : [isoDay(at)]));
  return ['decisions', environment, ...new Set(days)].join('_');
}

/** The allowed decisions of a wave as CSV. */
export function allowedCsv(
  decisions: readonly Readonly<Record<(typeof allowedColumns)[number], string | null>>[],
): string {
  const rows = decisions.map((decision) => allowedColumns.map((column) => decision[column]));
  return [allowedColumns, ...rows].map((row) => csvLine(row, '\r\n')).join('');
}
