import { AppError } from '../../errors.ts';
import { UserProblem } from './users.ts';

/** Runs the work; a `UserProblem` becomes a validation error of its field. */
export async function orFieldError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UserProblem)
      throw new AppError('validation_failed', { errors: { [error.field]: [error.message] } });
    throw error;
  }
}
