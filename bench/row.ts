/** One measured value. Only `ratio` is comparable between machines. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit?: string;
  /** Relative to the baseline of the same run. */
  readonly ratio?: number;
  /** The target for the ratio, or for the value. */
  readonly goal?: string;
}

/** The export of a `*.bench.ts` file. */
export interface Bench {
  readonly name: string;
  run(): Promise<readonly Row[]>;
}

/** Rows as an aligned table, under the name of their bench. */
export function benchTable(rows: readonly (Row & { readonly bench: string })[]): string {
  const cells = rows.map(({ bench, what, value, unit = '', ratio, goal = '' }) => [
    bench,
    what,
    number(value),
    unit,
    ratio === undefined ? '' : ratio.toFixed(2),
    goal,
  ]);
  const lines = [['bench', 'what', 'value', 'unit', 'ratio', 'goal'], ...cells];
  return textTable(lines, (column) => column === 2 || column === 4);
}

/** Lines of cells as an aligned table. */
export function textTable(lines: readonly (readonly string[])[], isNumber: (column: number) => boolean): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats a value. */
export function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
