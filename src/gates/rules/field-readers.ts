import type { FieldOf, Read } from './fields.ts';

/** Readers of the texts that a gate's conditions name; conditions on one field share what is made of its value. */
export interface FieldReaders {
  text(field: FieldOf<'string'>, keepsCase: boolean): Read<string>;
  list(field: FieldOf<'string[]'>, keepsCase: boolean): Read<readonly string[]>;
}

/** Readers for one gate. */
export function createFieldReaders(): FieldReaders {
  const loweredTexts = new Map<string, Read<string>>();
  const lists = new Map<string, Read<readonly string[]>>();
  const loweredLists = new Map<string, Read<readonly string[]>>();
  const list = ({ path, createReader }: FieldOf<'string[]'>) => kept(lists, path, createReader);
  return {
    text: (field, keepsCase) =>
      keepsCase ? field.read : kept(loweredTexts, field.path, () => derived(field.read, lower)),
    list: (field, keepsCase) =>
      keepsCase ? list(field) : kept(loweredLists, field.path, () => derived(list(field), lowerAll)),
  };
}

function kept<T>(all: Map<string, T>, path: string, make: () => T): T {
  const known = all.get(path) ?? make();
  all.set(path, known);
  return known;
}

/** Makes something of what is read; made again only when another value is read. */
function derived<T>(read: Read<T>, derive: (source: T) => T): Read<T> {
  let last: T | null = null;
  let value: T | null = null;
  return (signals) => {
    const source = read(signals);
    if (source !== last) {
      last = source;
      value = source === null ? null : derive(source);
    }
    return value;
  };
}

const lower = (text: string): string => text.toLowerCase();

const lowerAll = (texts: readonly string[]): readonly string[] => texts.map(lower);
