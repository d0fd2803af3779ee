import type { OutcomeName } from '../decisions/outcome.ts';
import { type Field, fields } from '../rules/fields.ts';
import type { DecisionSignals } from '../rules/signals.ts';
import { textForms } from '../rules/text-form.ts';

/** The values of one field, row by row. Texts are numbers that `texts` explains; unknown is -1, or NaN for a number. */
export type Column =
  | { readonly field: Field; readonly kind: 'boolean'; values: Int8Array }
  | { readonly field: Field; readonly kind: 'integer'; values: Float64Array }
  | { readonly field: Field; readonly kind: 'text'; values: Int32Array; readonly texts: string[] }
  | {
      readonly field: Field;
      readonly kind: 'texts';
      readonly values: (readonly number[] | null)[];
      readonly texts: string[];
    };

/** Decisions as columns: a hundred thousand take about 50 MB, as objects several times as much. */
export interface ExampleTable {
  readonly columns: readonly Column[];
  readonly size: number;
  /** The rows with each outcome. */
  readonly rows: Readonly<Record<OutcomeName | 'none', number[]>>;
  add(signals: DecisionSignals, outcome: OutcomeName | undefined): void;
}

/** A rule on one of these would be about one person. */
const personal: ReadonlySet<string> = new Set(['email.address', 'email.normalized']);
/** Distinct texts of one field; later ones match no condition. */
const mostTexts = 20_000;
const firstRows = 1_024;

/** An empty table with a column for each field that a suggestion may use. */
export function createExampleTable(): ExampleTable {
  const builders = fields.filter(({ path }) => !personal.has(path)).map(createColumn);
  const rows = { good: [] as number[], bad: [] as number[], none: [] as number[] };
  let size = 0;
  return {
    columns: builders.map(({ column }) => column),
    rows,
    get size() {
      return size;
    },
    add(signals, outcome = undefined) {
      for (const { add } of builders) add(signals, size);
      rows[outcome ?? 'none'].push(size);
      size += 1;
    },
  };
}

interface ColumnBuilder {
  readonly column: Column;
  add(signals: DecisionSignals, row: number): void;
}

function createColumn(field: Field): ColumnBuilder {
  const read = (signals: DecisionSignals): unknown => signals[field.subject]?.[field.place] ?? null;
  if (field.type === 'boolean') {
    const column: Column = { field, kind: 'boolean', values: new Int8Array(firstRows) };
    return {
      column,
      add(signals, row) {
        if (row === column.values.length) column.values = doubled(column.values, new Int8Array(2 * row));
        const value = read(signals);
        column.values[row] = value === null ? -1 : Number(value);
      },
    };
  }
  if (field.type === 'integer') {
    const column: Column = { field, kind: 'integer', values: new Float64Array(firstRows) };
    return {
      column,
      add(signals, row) {
        if (row === column.values.length) column.values = doubled(column.values, new Float64Array(2 * row));
        const value = read(signals);
        column.values[row] = value === null ? Number.NaN : Number(value);
      },
    };
  }
  return createTextColumn(field, read);
}

function createTextColumn(
  field: Extract<Field, { type: 'string' | 'string[]' }>,
  read: (signals: DecisionSignals) => unknown,
): ColumnBuilder {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const { actual } = textForms[field.kind];
  const numberOf = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    if (texts.length === mostTexts) return mostTexts;
    const key = actual(text);
    // A spelling that is not in its compared form has the number of that form.
    const number = key === text ? texts.push(text) - 1 : (numbers.get(key) ?? texts.push(text) - 1);
    numbers.set(key, number);
    numbers.set(text, number);
    return number;
  };
  if (field.type === 'string[]') {
    const column: Column = { field, kind: 'texts', values: [], texts };
    const { part } = field;
    const items = (value: unknown) => value as readonly Readonly<Record<string, string>>[];
    return {
      column,
      add(signals) {
        const value = read(signals);
        column.values.push(value === null ? null : items(value).map((item) => numberOf(String(item[part] ?? ''))));
      },
    };
  }
  const column: Column = { field, kind: 'text', values: new Int32Array(firstRows), texts };
  return {
    column,
    add(signals, row) {
      if (row === column.values.length) column.values = doubled(column.values, new Int32Array(2 * row));
      const value = read(signals);
      column.values[row] = value === null ? -1 : numberOf(String(value));
    },
  };
}

function doubled<A extends Int8Array | Int32Array | Float64Array>(values: A, larger: A): A {
  larger.set(values);
  return larger;
}
