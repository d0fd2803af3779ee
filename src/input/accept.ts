import { AppError } from '../errors.ts';
import { type Input, refused } from './input.ts';
import { createProblems } from './problems.ts';

/** Reads a value with an input; throws an error that names every problem. */
export function accept<T>(input: Input<T>, sent: unknown): T {
  const problems = createProblems();
  const read = input.read(sent, '', problems);
  if (read === refused) throw new AppError('validation_failed', { errors: problems.toFieldErrors() });
  return read;
}
