import { createHmac } from 'node:crypto';
import type { Address } from '../address/address.ts';

/** Under what an address is kept in the log and found again. */
export interface AddressKeys {
  /** The form in which new entries keep it. */
  of(address: Address): string;
  /** Every form under which an entry may have kept it: the setting may have been another before. */
  all(address: Address): readonly string[];
  /** A text as the log shows it: itself, or its keyed hash. */
  shown(text: string): string;
  readonly hashed: boolean;
}

/** Addresses in clear, or as HMAC-SHA-256 under a secret that never leaves the database. */
export function createAddressKeys(mode: 'plain' | 'hashed', secret: string): AddressKeys {
  const hashed = mode === 'hashed';
  const hash = (text: string): string => `hmac:${createHmac('sha256', secret).update(text).digest('hex')}`;
  return {
    of: (address) => (hashed ? hash(plainKey(address)) : plainKey(address)),
    all: (address) => [plainKey(address), hash(plainKey(address))],
    shown: (text) => (hashed ? hash(text) : text),
    hashed,
  };
}

/** Strings are compared without regard to case everywhere in Gates, so addresses are found so too. */
function plainKey({ localPart, domain }: Address): string {
  return `${localPart.toLowerCase()}@${domain.ascii}`;
}
