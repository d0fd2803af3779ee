import type { Condition } from '../rules/condition.ts';
import type { Column } from './example-table.ts';

/** A condition that a suggested rule may have, and whether it holds for a row of the table. */
export interface Candidate {
  readonly condition: Condition;
  holds(row: number): boolean;
}

/** Thresholds of one field and direction. */
const maxThresholds = 12;
/** Texts of one field. */
const maxTexts = 15;
/** Longer texts are no rule that a person would write. */
const longestText = 100;
/** Numbers that name something: a threshold means nothing. */
const identifiers: ReadonlySet<string> = new Set(['ip.network.asn']);

/** The conditions on a field that hold for at least `fewest` of the bad rows. */
export function candidatesOf(column: Column, badRows: readonly number[], fewest: number): Candidate[] {
  const all = conditionsOf(column, badRows, fewest);
  return all.filter(({ holds }) => {
    let found = 0;
    for (const row of badRows) if (holds(row) && ++found === fewest) return true;
    return false;
  });
}

function conditionsOf(column: Column, badRows: readonly number[], fewest: number): Candidate[] {
  const { field } = column;
  if (column.kind === 'boolean') {
    return [true, false].map((value) => ({
      condition: { field: field.path, operator: 'equals', value },
      holds: (row) => column.values[row] === Number(value),
    }));
  }
  if (column.kind === 'pattern') {
    const condition = { field: field.path, operator: 'matches', value: column.pattern } as const;
    return [{ condition, holds: (row) => column.values[row] === 1 }];
  }
  if (column.kind === 'integer')
    return identifiers.has(field.path) ? numbers(column, badRows, fewest) : thresholds(column, badRows);
  return texts(column, badRows, fewest);
}

type ColumnOf<Kind extends Column['kind']> = Extract<Column, { kind: Kind }>;

function thresholds({ field, values }: ColumnOf<'integer'>, badRows: readonly number[]): Candidate[] {
  // The column may grow, but not while candidates are in use.
  const known = badRows.map((row) => values[row] ?? Number.NaN).filter((value) => !Number.isNaN(value));
  const sorted = known.sort((one, other) => one - other);
  const picked = new Set<number>();
  for (let step = 0; step < maxThresholds; step += 1) {
    const value = sorted[Math.round((step * (sorted.length - 1)) / (maxThresholds - 1))];
    if (value !== undefined) picked.add(value);
  }
  return [...picked].flatMap((value): Candidate[] => [
    {
      condition: { field: field.path, operator: 'greater_than_or_equal', value },
      holds: (row) => (values[row] ?? Number.NaN) >= value,
    },
    {
      condition: { field: field.path, operator: 'less_than_or_equal', value },
      holds: (row) => (values[row] ?? Number.NaN) <= value,
    },
  ]);
}

function numbers({ field, values }: ColumnOf<'integer'>, badRows: readonly number[], fewest: number): Candidate[] {
  const frequent = mostFrequent(
    badRows.map((row) => values[row] ?? Number.NaN).filter((value) => !Number.isNaN(value)),
    fewest,
  );
  return frequent.map((value) => ({
    condition: { field: field.path, operator: 'equals', value },
    holds: (row) => values[row] === value,
  }));
}

function texts(column: ColumnOf<'text' | 'texts' | 'shape'>, badRows: readonly number[], fewest: number): Candidate[] {
  const path = column.field.path;
  const found = badRows.flatMap((row) => {
    const value = column.values[row] ?? -1;
    return typeof value === 'number' ? (value < 0 ? [] : [value]) : [...new Set(value)];
  });
  const equal = mostFrequent(found, fewest).flatMap((number): Candidate[] => {
    const value = column.texts[number];
    if (value === undefined || value === '' || value.length > longestText) return [];
    const { values } = column;
    const holds =
      column.kind === 'texts'
        ? (row: number) => (column.values[row] ?? []).includes(number)
        : (row: number) => values[row] === number;
    const operator = column.kind === 'shape' ? 'matches' : 'equals';
    return [{ condition: { field: path, operator, value }, holds }];
  });
  if (column.kind !== 'text') return equal;
  return [
    ...equal,
    { condition: { field: path, operator: 'is_known' }, holds: (row) => (column.values[row] ?? -1) >= 0 },
  ];
}

function mostFrequent(values: readonly number[], fewest: number): number[] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= fewest)
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxTexts)
    .map(([value]) => value);
}
