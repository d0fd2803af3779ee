import type { FieldErrors } from '../src/errors.ts';
import { type Input, refused } from '../src/input/input.ts';
import { createProblems } from '../src/input/problems.ts';

/** What an input makes of a value, or everything it finds wrong with it. */
export type ReadInput<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: FieldErrors };

/** Reads a value by an input, without the error an endpoint would answer. */
export function readInput<T>(input: Input<T>, sent: unknown, path = ''): ReadInput<T> {
  const problems = createProblems();
  const value = input.read(sent, path, problems);
  return value === refused ? { ok: false, errors: problems.toFieldErrors() } : { ok: true, value };
}
