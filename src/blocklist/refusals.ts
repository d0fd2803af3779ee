import { AppError, errorTable } from '../errors.ts';

/** The text of a single add is no domain. */
export const domainInvalid = (): AppError => refusalOf('invalid_domain');

/** The domain of a single add is on the list. */
export const alreadyListed = (): AppError => refusalOf('already_blocklisted');

function refusalOf(code: 'invalid_domain' | 'already_blocklisted'): AppError {
  return new AppError(code, { errors: { domain: [errorTable[code].message] } });
}
