import type { Domain } from './domain.ts';

/** A valid email address. Contract; see parseAddress. */
export interface Address {
  /** As submitted, to the letter. */
  readonly submitted: string;
  /** The local part as submitted, tag and quotes included. */
  readonly localPart: string;
  /** What follows the first `+` of the (unquoted) local part; null when there is no `+`. May be empty. */
  readonly tag: string | null;
  readonly domain: Domain;
}
