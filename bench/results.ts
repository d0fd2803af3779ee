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
 * `<!-- end of bench -->`; a table without results is unchanged. The benches of a table must be of one machine and date.
 */
export function withTables(document: string, results: Results): string {
  return document.replace(
    /(<!-- bench: ([\w ]+) -->\n)[\s\S]*?(<!-- end of bench -->)/g,
    (before, start: string, names: string, end: string) => {
      const found = names.split(' ').flatMap((name) => results[name] ?? []);
      if (new Set(found.map(measuredText)).size > 1)
        throw new Error(`The results of ${names} are of different machines or dates: measure them together`);
      return found.length === 0 ? before : `${start}${tableOf(found)}${end}`;
    },
  );
}

function tableOf(results: readonly BenchResult[]): string {
  const rows = results.flatMap((result) => result.rows).filter(({ goal }) => goal);
  const lines = Map.groupBy(rows, nameOf).entries();
  const missed = new Set(rows.filter(isMissed).map(nameOf));
  return [
    '',
    '| what | value | ratio | goal |',
    '|---|---|---|---|',
    ...lines.map(([what, engines]) => `| ${lineOf(what, engines)} |`),
    '',
    ...results.slice(0, 1).map(measuredText),
    ...(missed.size === 0 ? [] : ['', `Missed goals: ${[...missed].join('; ')}.`]),
    '',
    '',
  ].join('\n');
}

/** What a row measures, whatever the engine. */
const nameOf = ({ what }: Row): string => what.replace(/^(SQLite|PostgreSQL): /, '');

const measuredText = ({ measuredAt, machine: where }: BenchResult): string => `Measured on ${measuredAt}: ${where}.`;

/** A goal is for the value if it has the value's unit, else for the ratio; a goal that is no number is for readers to judge. */
function isMissed({ value, unit, ratio, goal = '' }: Row): boolean {
  const [, sign, text, goalUnit] = /^(≤ |≥ |)([\d.,]*\d)(?: (\S+))?/.exec(goal) ?? [];
  if (text === undefined) return false;
  const limit = Number(text.replaceAll(',', ''));
  const measured = goalUnit !== undefined && goalUnit === unit ? value : (ratio ?? value);
  return sign === '≥ ' ? measured < limit : measured > limit;
}

/** One line for the rows of both engines, SQLite first. */
function lineOf(what: string, rows: readonly Row[]): string {
  const values = rows.map(({ value, unit = '' }) => `${number(value)} ${unit}`.trim());
  const ratios = rows.flatMap(({ ratio }) => ratio?.toFixed(2) ?? []);
  return [what, values.join(' · '), ratios.join(' · '), rows[0]?.goal].join(' | ');
}
