import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, type } from 'node:os';
import { join } from 'node:path';
import { number, type Row } from './row.ts';

/** The rows of one bench, with machine and date. */
export interface BenchResult {
  readonly measuredAt: string;
  readonly machine: string;
  readonly rows: readonly Row[];
}

/** The latest results by bench. */
export type Results = Readonly<Record<string, BenchResult>>;

const resultsFile = join(import.meta.dirname, 'results.json');
const documentFile = join(import.meta.dirname, '..', 'docs', 'benchmarks.md');

/** Writes results to results.json and their tables to docs/benchmarks.md. Benches that did not run are unchanged. */
export function writeResults(measured: Readonly<Record<string, readonly Row[]>>, now: Date): void {
  const measuredAt = now.toISOString().slice(0, 10);
  const known: Results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {};
  const fresh = Object.entries(measured).map(([name, rows]) => [name, { measuredAt, machine: machine(), rows }]);
  const results: Results = { ...known, ...Object.fromEntries(fresh) };
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(documentFile, withTables(readFileSync(documentFile, 'utf8'), results));
}

function machine(): string {
  const all = cpus();
  return `${all.length} × ${all[0]?.model.trim() ?? 'unknown processor'}, ${type()}, Node ${process.versions.node}`;
}

/**
 * The document with a new table of the rows that have a goal between each `<!-- bench: NAME … -->` and its
 * `<!-- end of bench -->`; one without results is unchanged.
 */
export function withTables(document: string, results: Results): string {
  return document.replace(
    /(<!-- bench: ([\w ]+) -->\n)[\s\S]*?(<!-- end of bench -->)/g,
    (before, start: string, names: string, end: string) => {
      const found = names.split(' ').flatMap((name) => results[name] ?? []);
      return found.length === 0 ? before : `${start}${tableOf(found)}${end}`;
    },
  );
}

function tableOf(results: readonly BenchResult[]): string {
  const rows = results.flatMap((result) => result.rows).filter(({ goal }) => goal);
  const lines = Map.groupBy(rows, ({ what }) => what.replace(/^(SQLite|PostgreSQL): /, '')).entries();
  const measured = new Set(results.map(({ measuredAt, machine: where }) => `Measured on ${measuredAt}: ${where}.`));
  return [
    '',
    '| what | value | ratio | goal |',
    '|---|---|---|---|',
    ...lines.map(([what, engines]) => `| ${lineOf(what, engines)} |`),
    '',
    ...measured,
    '',
    '',
  ].join('\n');
}

/** One line for the rows of both engines, SQLite first. */
function lineOf(what: string, rows: readonly Row[]): string {
  const values = rows.map(({ value, unit = '' }) => `${number(value)} ${unit}`.trim());
  const ratios = rows.flatMap(({ ratio }) => ratio?.toFixed(2) ?? []);
  return [what, values.join(' · '), ratios.join(' · '), rows[0]?.goal].join(' | ');
}
