import type { FieldErrors } from '../errors.ts';

/** A client mends a few problems at a time; a list of all could be larger than the body that has them. */
export const maxProblems = 20;

/** Collects what is wrong with an input, by the path of the field, in the order found; the first 20 are listed. */
export interface Problems {
  add(path: string, message: string): void;
  /** How many were found, listed or not. */
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
      if (count > maxProblems) return;
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
