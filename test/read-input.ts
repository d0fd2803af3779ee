import type { FieldErrors } from '../src/errors.ts';
import { type Input, refused } from '../src/input/input.ts';
import { createProblems } from '../src/input/problems.ts';

/** The parsed value, or every problem of the input. */
export type ReadInput<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: FieldErrors };

/** Parses a value with an input, without throwing the error of an endpoint. */
export function readInput<T>(input: Input<T>, sent: unknown, path = ''): ReadInput<T> {
  const problems = createProblems();
  const value = input.read(sent, path, problems);
  return value === refused ? { ok: false, errors: problems.toFieldErrors() } : { ok: true, value };
}
