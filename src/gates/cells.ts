import type { FieldOf, Read } from './field-catalogue.ts';
import type { DecisionSignals } from './signals.ts';

/** An integer field, or a boolean one as 1 and 0, for the decision at hand. Unknown is NaN: no comparison holds on it. */
export interface NumberCell {
  value: number;
}

/** A string field, as it is or in lower case, for the decision at hand; null is unknown. */
export interface TextCell {
  value: string | null;
}

/** A list field, as it is or in lower case, for the decision at hand; null is unknown. */
export interface ListCell {
  value: readonly string[] | null;
}

/** The fields a gate's conditions name, each read (and put in lower case) once per decision, however many name it. */
export interface Cells {
  number(field: FieldOf<'boolean' | 'integer'>): NumberCell;
  text(field: FieldOf<'string'>): TextCell;
  loweredText(field: FieldOf<'string'>): TextCell;
  list(field: FieldOf<'string[]'>): ListCell;
  loweredList(field: FieldOf<'string[]'>): ListCell;
  /** Fills every cell. Evaluation is synchronous, so no other decision can come between. */
  load(signals: DecisionSignals): void;
}

interface Numbered extends NumberCell {
  readonly read: Read<boolean | number>;
}

interface Loaded<T> {
  value: T | null;
  readonly read: Read<T>;
}

/** A cell whose value is made from what was read; made again only when another value is read. */
interface Derived<T> extends Loaded<T> {
  source: T | null;
  readonly derive: (source: T) => T;
}

/** Cells without a field yet: the conditions that are compiled ask for theirs. */
export function createCells(): Cells {
  const numbers = createKeeper<Numbered>();
  const texts = createKeeper<Loaded<string>>();
  const loweredTexts = createKeeper<Derived<string>>();
  const lists = createKeeper<Loaded<readonly string[]>>();
  const loweredLists = createKeeper<Derived<readonly string[]>>();
  return {
    number: ({ path, read }) => numbers.once(path, () => ({ value: Number.NaN, read })),
    text: ({ path, read }) => texts.once(path, () => ({ value: null, read })),
    loweredText: ({ path, read }) =>
      loweredTexts.once(path, () => ({ value: null, read, source: null, derive: lower })),
    list: ({ path, createReader }) => lists.once(path, () => ({ value: null, read: createReader() })),
    loweredList: ({ path, createReader }) =>
      loweredLists.once(path, () => ({ value: null, read: createReader(), source: null, derive: lowerAll })),
    load(signals) {
      for (const cell of numbers.all) cell.value = toNumber(cell.read(signals));
      for (const cell of texts.all) cell.value = cell.read(signals);
      for (const cell of loweredTexts.all) derive(cell, cell.read(signals));
      for (const cell of lists.all) cell.value = cell.read(signals);
      for (const cell of loweredLists.all) derive(cell, cell.read(signals));
    },
  };
}

/** One cell a path, in an array: walking a Map on every decision would cost more than reading the fields. */
function createKeeper<T>(): { readonly all: readonly T[]; once(path: string, make: () => T): T } {
  const all: T[] = [];
  const byPath = new Map<string, T>();
  return {
    all,
    once(path, make) {
      const existing = byPath.get(path);
      if (existing !== undefined) return existing;
      const fresh = make();
      byPath.set(path, fresh);
      all.push(fresh);
      return fresh;
    },
  };
}

function toNumber(value: boolean | number | null): number {
  if (typeof value === 'number') return value;
  return value === null ? Number.NaN : value ? 1 : 0;
}

function derive<T>(cell: Derived<T>, source: T | null): void {
  if (source === cell.source) return;
  cell.source = source;
  cell.value = source === null ? null : cell.derive(source);
}

const lower = (text: string): string => text.toLowerCase();

const lowerAll = (texts: readonly string[]): readonly string[] => texts.map(lower);
