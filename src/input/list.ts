import { type Input, pathOf, refused } from './input.ts';
import { keywordsOf, type Limit } from './scalar.ts';
import { schema } from './schema.ts';

/** Constraints on a list besides those of its items. */
export interface ListOptions {
  /** Checked before any item. */
  readonly limits?: readonly Limit<readonly unknown[]>[];
  /** The expected type in the message about any other value; "a list" by default. */
  readonly expected?: string;
}

/** A list of items of one kind; problems name an item by its index. */
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
      const broken = limits.find((limit) => !limit.holds(value));
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

/** Limits the number of items; `sentence` is the message. */
export function items(minimum: number, maximum: number, sentence: string): Limit<readonly unknown[]> {
  return {
    schema: { minItems: minimum, maxItems: maximum },
    holds: ({ length }) => length >= minimum && length <= maximum,
    problem: () => sentence,
  };
}
