import { type Input, pathOf, refused } from './input.ts';
import { keywordsOf, type Limit } from './scalar.ts';
import { schema } from './schema.ts';

/** What a list must keep besides each of its items. */
export interface ListOptions {
  /** Looked at before any item is. */
  readonly limits?: readonly Limit<readonly unknown[]>[];
  /** What it must be, for the sentence about anything else; "a list" by default. */
  readonly expected?: string;
}

/** A list of items that are all alike; each is reported by its index. */
export function list<T>(
  label: string,
  item: Input<T>,
  { limits = [], expected = 'a list' }: ListOptions = {},
): Input<readonly T[]> {
  return {
    schema: schema.array(item.schema, keywordsOf(limits)),
    read(value, path, problems) {
      if (!Array.isArray(value)) {
        problems.add(path, `${label} must be ${expected}.`);
        return refused;
      }
      const broken = limits.find((limit) => !limit.isKept(value));
      if (broken !== undefined) {
        problems.add(path, broken.problem(label));
        return refused;
      }
      const before = problems.count;
      const items: T[] = [];
      for (const [index, each] of value.entries()) {
        const read = item.read(each, pathOf(path, index), problems);
        if (read !== refused) items.push(read);
      }
      return problems.count > before ? refused : items;
    },
  };
}

/** How many items it may have; the sentence names what the list belongs to. */
export function items(minimum: number, maximum: number, sentence: string): Limit<readonly unknown[]> {
  return {
    schema: { minItems: minimum, maxItems: maximum },
    isKept: ({ length }) => length >= minimum && length <= maximum,
    problem: () => sentence,
  };
}
