import { type FieldOf, fields, type Read } from './fields.ts';
import type { DecisionSignals } from './signals.ts';

/** Where a field's number is in the table of numbers. */
export type Slot = number;

/**
 * A string field as a number: that of the text among those that conditions compare it with, 0 when it is none of them.
 * A text is looked up once a decision, however many conditions compare it.
 */
export interface CodedText {
  readonly slot: Slot;
  /** The number of a text in lower case; from 1 on, in the order they are first asked for. */
  codeOf(text: string): number;
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
  /**
   * Integers, booleans as 1 and 0, and coded texts for the decision at hand. Unknown is NaN: no comparison holds on it.
   * One table of plain numbers, so that none is boxed.
   */
  readonly numbers: Float64Array;
  number(field: FieldOf<'boolean' | 'integer'>): Slot;
  code(field: FieldOf<'string'>): CodedText;
  text(field: FieldOf<'string'>): TextCell;
  loweredText(field: FieldOf<'string'>): TextCell;
  list(field: FieldOf<'string[]'>): ListCell;
  loweredList(field: FieldOf<'string[]'>): ListCell;
  /** Fills every cell. Evaluation is synchronous, so no other decision can come between. */
  load(signals: DecisionSignals): void;
}

interface Numbered {
  readonly slot: Slot;
  readonly read: Read<boolean | number>;
}

interface Coded extends CodedText {
  readonly read: Read<string>;
  readonly encode: (text: string) => number;
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
  const numbers = new Float64Array(fields.length);
  let slots = 0;
  const numbered = createKeeper<Numbered>();
  const coded = createKeeper<Coded>();
  const texts = createKeeper<Loaded<string>>();
  const loweredTexts = createKeeper<Derived<string>>();
  const lists = createKeeper<Loaded<readonly string[]>>();
  const loweredLists = createKeeper<Derived<readonly string[]>>();
  return {
    numbers,
    number: ({ path, read }) => numbered.once(path, () => ({ slot: slots++, read })).slot,
    code: ({ path, read }) => coded.once(path, () => ({ slot: slots++, read, ...createCodes() })),
    text: ({ path, read }) => texts.once(path, () => ({ value: null, read })),
    loweredText: ({ path, read }) =>
      loweredTexts.once(path, () => ({ value: null, read, source: null, derive: lower })),
    list: ({ path, createReader }) => lists.once(path, () => ({ value: null, read: createReader() })),
    loweredList: ({ path, createReader }) =>
      loweredLists.once(path, () => ({ value: null, read: createReader(), source: null, derive: lowerAll })),
    load(signals) {
      for (const { slot, read } of numbered.all) numbers[slot] = toNumber(read(signals));
      for (const { slot, read, encode } of coded.all) {
        const text = read(signals);
        numbers[slot] = text === null ? Number.NaN : encode(text);
      }
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

/** Texts whose numbers are remembered as they came, so that those of a few values are never put in lower case again. */
const rememberedTexts = 64;

function createCodes(): Pick<Coded, 'codeOf' | 'encode'> {
  const codes = new Map<string, number>();
  const remembered = new Map<string, number>();
  return {
    codeOf(text) {
      const code = codes.get(text) ?? codes.size + 1;
      codes.set(text, code);
      return code;
    },
    encode(text) {
      const known = remembered.get(text);
      if (known !== undefined) return known;
      const code = codes.get(text.toLowerCase()) ?? 0;
      if (remembered.size < rememberedTexts) remembered.set(text, code);
      return code;
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
