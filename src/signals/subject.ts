import { type Address, parseAddress } from '../address/address.ts';
import { type Domain, type ParseDomainOptions, parseDomain } from '../address/domain.ts';

/** The subject of a lookup or a decision: a domain, or an address and its domain. */
export interface Subject {
  readonly domain: Domain;
  readonly address: Address | null;
}

/** The subject for a domain; null when the text is not one. */
export function domainSubject(text: string, options?: ParseDomainOptions): Subject | null {
  const domain = parseDomain(text, options);
  return domain === null ? null : { domain, address: null };
}

/** The subject for an address; null when the text is not one. */
export function addressSubject(text: string): Subject | null {
  const address = parseAddress(text);
  return address === null ? null : { domain: address.domain, address };
}
