import { AppError, blocklistFull, errorTable } from '../errors.ts';

/** Why the blocklist rejects a domain. */
export type RefusalReason = 'invalid_domain' | 'already_blocklisted' | 'blocklist_full';

/** The error text for a reason, on a list limited to `maxEntries`. */
export function refusalMessage(reason: RefusalReason, maxEntries: number): string {
  return reason === 'blocklist_full' ? blocklistFull(maxEntries) : errorTable[reason].message;
}

/** The error of a rejected single add. */
export function refusalOf(reason: RefusalReason, maxEntries: number): AppError {
  const message = refusalMessage(reason, maxEntries);
  return new AppError(reason, { message, errors: { domain: [message] } });
}
