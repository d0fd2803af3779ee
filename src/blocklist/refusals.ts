import { AppError, type ErrorCode, errorTable, type FieldErrors } from '../errors.ts';

/** A 422 in the words of the blocklist: the first message, and how many more there are. */
export function validationError(errors: FieldErrors, code: ErrorCode = 'validation_failed'): AppError {
  const [first = errorTable[code].message, ...more] = Object.values(errors).flat();
  // "errors" for one more, too: clients know the sentence in this form.
  const message = more.length === 0 ? first : `${first} (and ${more.length} more errors)`;
  return new AppError(code, { message, errors });
}

/** The text of a single add is no domain. */
export const domainInvalid = (): AppError => refusalOf('invalid_domain');

/** The domain of a single add is on the list. */
export const alreadyListed = (): AppError => refusalOf('already_blocklisted');

function refusalOf(code: ErrorCode): AppError {
  return validationError({ domain: [errorTable[code].message] }, code);
}
