import { createHmac } from 'node:crypto';

/** Under what an address is kept in the log and found again; its domain is in ASCII. */
export interface AddressKeys {
  /** The form in which new entries keep it. */
  keyOf(localPart: string, domain: string): string;
  /** Every form under which an entry may have kept it: the setting may have been another before. */
  all(localPart: string, domain: string): readonly string[];
  /** The keyed hash of a text. */
  hash(text: string): string;
  /** Entries keep the hash alone. */
  readonly hashed: boolean;
}

/** Addresses in clear, or as HMAC-SHA-256 under a secret that never leaves the database. */
export function createAddressKeys(mode: 'plain' | 'hashed', secret: string): AddressKeys {
  const hashed = mode === 'hashed';
  const hash = (text: string): string => `hmac:${createHmac('sha256', secret).update(text).digest('hex')}`;
  return {
    keyOf: (localPart, domain) => (hashed ? hash(plainKey(localPart, domain)) : plainKey(localPart, domain)),
    all: (localPart, domain) => [plainKey(localPart, domain), hash(plainKey(localPart, domain))],
    hash,
    hashed,
  };
}

/** Strings are compared without regard to case everywhere in Gates, so addresses are found so too. */
function plainKey(localPart: string, domain: string): string {
  return `${localPart.toLowerCase()}@${domain}`;
}
