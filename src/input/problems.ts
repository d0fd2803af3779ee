import type { FieldErrors } from '../errors.ts';

/** A client fixes a few problems at a time; a list of all of them could be larger than the body. */
export const maxProblems = 20;

/** Collects the problems of an input by field path, in the order found; the first 20 are listed. */
export interface Problems {
  add(path: string, message: string): void;
  /** How many were found, listed or not. */
  readonly count: number;
  toFieldErrors(): FieldErrors;
}

export function createProblems(): Problems {
  return new CollectedProblems();
}

/** Allocates nothing until the first problem: one is created for every request. */
class CollectedProblems implements Problems {
  count = 0;
  #byPath: Map<string, string[]> | null = null;

  add(path: string, message: string): void {
    this.count += 1;
    if (this.count > maxProblems) return;
    this.#byPath ??= new Map();
    const messages = this.#byPath.get(path);
    if (messages === undefined) this.#byPath.set(path, [message]);
    else messages.push(message);
  }

  /** `fromEntries` defines each property, so a field called __proto__ is reported like any other. */
  toFieldErrors(): FieldErrors {
    return Object.fromEntries(this.#byPath ?? []);
  }
}
