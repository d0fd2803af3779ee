import { AppError } from '../../errors.ts';
import { UserProblem } from './users.ts';

/** Does the work; a problem with what was asked for becomes the answer of its field. */
export async function orFieldError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UserProblem)
      throw new AppError('validation_failed', { errors: { [error.field]: [error.message] } });
    throw error;
  }
}
