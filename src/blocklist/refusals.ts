import { AppError, blocklistFull, errorTable } from '../errors.ts';

/** Why a domain is not added. */
export type RefusalReason = 'invalid_domain' | 'already_blocklisted' | 'blocklist_full';

/** The text for a reason, on a list that may hold `maxEntries`. */
export function refusalMessage(reason: RefusalReason, maxEntries: number): string {
  return reason === 'blocklist_full' ? blocklistFull(maxEntries) : errorTable[reason].message;
}

/** What a single add that is refused answers. */
export function refusalOf(reason: RefusalReason, maxEntries: number): AppError {
  const message = refusalMessage(reason, maxEntries);
  return new AppError(reason, { message, errors: { domain: [message] } });
}
