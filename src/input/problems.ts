import type { FieldErrors } from '../errors.ts';

/** Collects what is wrong with an input, by the path of the field, in the order found. */
export interface Problems {
  add(path: string, message: string): void;
  readonly count: number;
  toFieldErrors(): FieldErrors;
}

/** An empty collection of problems. */
export function createProblems(): Problems {
  const byPath = new Map<string, string[]>();
  let count = 0;
  return {
    add(path, message) {
      count += 1;
      const messages = byPath.get(path);
      if (messages === undefined) byPath.set(path, [message]);
      else messages.push(message);
    },
    get count() {
      return count;
    },
    // fromEntries defines each property, so a field called __proto__ is reported like any other.
    toFieldErrors: () => Object.fromEntries(byPath),
  };
}
