import { AppError } from '../errors.ts';
import { type Input, refused } from './input.ts';
import { createProblems } from './problems.ts';

/** The value that an input makes of what was sent; throws with everything that is wrong with it. */
export function accept<T>(input: Input<T>, sent: unknown): T {
  const problems = createProblems();
  const read = input.read(sent, '', problems);
  if (read === refused) throw new AppError('validation_failed', { errors: problems.toFieldErrors() });
  return read;
}
