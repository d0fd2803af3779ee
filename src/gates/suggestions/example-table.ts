import type { OutcomeName } from '../decisions/outcome.ts';
import { type Field, fields, findField } from '../rules/fields.ts';
import type { DecisionSignals } from '../rules/signals.ts';
import { textForms } from '../rules/text-form.ts';
import { localPartPatterns, looseShapePattern, shapePattern } from './local-part-patterns.ts';

/** The values of one field, row by row. Texts are numbers that `texts` explains; unknown is -1, or NaN for a number. */
export type Column =
  | { readonly field: Field; readonly kind: 'boolean'; values: Int8Array }
  | { readonly field: Field; readonly kind: 'integer'; values: Float64Array }
  | { readonly field: Field; readonly kind: 'text'; values: Int32Array; readonly texts: string[] }
  /** Whether the text matches a pattern. */
  | { readonly field: Field; readonly kind: 'pattern'; readonly pattern: string; values: Int8Array }
  /** The pattern that describes the shape of the text. */
  | { readonly field: Field; readonly kind: 'shape'; values: Int32Array; readonly texts: string[] }
  | {
      readonly field: Field;
      readonly kind: 'texts';
      /** The part of each item. */
      readonly part: string;
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
  /** Removes rows from those with an outcome, by their index there. */
  keep(outcome: OutcomeName | 'none', isKept: (index: number) => boolean): void;
}

/** A rule on one of these would be about one person. */
const personal: ReadonlySet<string> = new Set(['email.address', 'email.normalized']);
/** Distinct texts of one field; later ones match no condition. */
const maxTexts = 20_000;
const firstRows = 1_024;
const localPartPath = 'email.local_part';

/** An empty table with a column for each field that a suggestion may use. */
export function createExampleTable(): ExampleTable {
  const plain = fields.filter(({ path }) => !personal.has(path)).map(createColumn);
  const localPart = createLocalPartColumns(plain.length);
  const columns = [...plain, ...localPart.columns];
  // A loop for each kind: one over all kinds took three times as long.
  const booleans = plain.filter((column) => column.kind === 'boolean');
  const integers = plain.filter((column) => column.kind === 'integer');
  const texts = plain.filter((column) => column.kind === 'text').map(withNumbers);
  const lists = plain.filter((column) => column.kind === 'texts').map(withNumbers);
  const rows = { good: [] as number[], bad: [] as number[], none: [] as number[] };
  let size = 0;
  return {
    columns,
    rows,
    get size() {
      return size;
    },
    add(signals, outcome = undefined) {
      for (const column of booleans) {
        if (size === column.values.length) column.values = enlarged(column.values, new Int8Array(2 * size));
        const value = valueIn(signals, column);
        column.values[size] = value === null ? -1 : Number(value);
      }
      for (const column of integers) {
        if (size === column.values.length) column.values = enlarged(column.values, new Float64Array(2 * size));
        const value = valueIn(signals, column);
        column.values[size] = value === null ? Number.NaN : Number(value);
      }
      for (const { column, numberOf } of texts) {
        if (size === column.values.length) column.values = enlarged(column.values, new Int32Array(2 * size));
        const value = valueIn(signals, column);
        column.values[size] = value === null ? -1 : numberOf(String(value));
      }
      for (const { column, numberOf } of lists) {
        const value = valueIn(signals, column) as readonly Readonly<Record<string, string>>[] | null;
        column.values.push(value === null ? null : value.map((item) => numberOf(String(item[column.part] ?? ''))));
      }
      localPart.add(signals, size);
      rows[outcome ?? 'none'].push(size);
      size += 1;
    },
    keep(outcome, isKept) {
      rows[outcome] = rows[outcome].filter((_, index) => isKept(index));
    },
  };
}

/** Columns about the form of the local part, which plain values do not show: most local parts occur once. */
function createLocalPartColumns(firstIndex: number) {
  const field = findField(localPartPath);
  if (field === undefined) throw new Error(`there is no field ${localPartPath}`);
  const capacity = (index: number): number => firstRows + firstIndex + index;
  const patterns = localPartPatterns.map(({ pattern }, index) => ({
    column: { field, kind: 'pattern' as const, pattern, values: new Int8Array(capacity(index)) },
    expression: new RegExp(pattern, 'i'),
  }));
  const shapes = [shapePattern, looseShapePattern].map((patternOf, index) => {
    const values = new Int32Array(capacity(patterns.length + index));
    return { ...withNumbers({ field, kind: 'shape' as const, values, texts: [] }), patternOf };
  });
  return {
    columns: [...patterns, ...shapes].map(({ column }): Column => column),
    add(signals: DecisionSignals, row: number): void {
      const value = signals[field.subject]?.[field.place] ?? null;
      const text = value === null ? null : String(value);
      for (const { column, expression } of patterns) {
        if (row === column.values.length) column.values = enlarged(column.values, new Int8Array(2 * row));
        column.values[row] = text === null ? -1 : Number(expression.test(text));
      }
      for (const { column, numberOf, patternOf } of shapes) {
        if (row === column.values.length) column.values = enlarged(column.values, new Int32Array(2 * row));
        const pattern = text === null ? null : patternOf(text);
        column.values[row] = pattern === null ? -1 : numberOf(pattern);
      }
    },
  };
}

function valueIn(signals: DecisionSignals, { field: { subject, place } }: Column): unknown {
  return signals[subject]?.[place] ?? null;
}

/** Columns grow at different rows: to enlarge all together would take long. */
function createColumn(field: Field, index: number): Column {
  const capacity = firstRows + index;
  if (field.type === 'boolean') return { field, kind: 'boolean', values: new Int8Array(capacity) };
  if (field.type === 'integer') return { field, kind: 'integer', values: new Float64Array(capacity) };
  if (field.type === 'string') return { field, kind: 'text', values: new Int32Array(capacity), texts: [] };
  return { field, kind: 'texts', part: field.part, values: [], texts: [] };
}

/** A column of texts with the number of each. */
function withNumbers<C extends Extract<Column, { texts: string[] }>>(column: C) {
  const { texts, field } = column;
  const numbers = new Map<string, number>();
  const { actual } = textForms[column.kind !== 'shape' && 'kind' in field ? field.kind : 'plain'];
  const numberOf = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    if (texts.length === maxTexts) return maxTexts;
    const key = actual(text);
    // A spelling that is not in its compared form has the number of that form.
    const number = key === text ? texts.push(text) - 1 : (numbers.get(key) ?? texts.push(text) - 1);
    numbers.set(key, number);
    numbers.set(text, number);
    return number;
  };
  return { column, numberOf };
}

function enlarged<A extends Int8Array | Int32Array | Float64Array>(values: A, larger: A): A {
  larger.set(values);
  return larger;
}
