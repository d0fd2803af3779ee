import type { Address } from '../address/address.ts';
import type { Domain } from '../address/domain.ts';

/** What a lookup or a decision is about: a domain, or an address and its domain. */
export interface Subject {
  readonly domain: Domain;
  readonly address: Address | null;
}
