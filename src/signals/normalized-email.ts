import { normalizeAddress } from '../address/normalize.ts';
import { known, unknown } from '../reading.ts';
import type { Signal } from './signal.ts';

/** The identity behind the spellings of one mailbox. */
export const normalizedEmail: Signal<string> = {
  name: 'normalized_email',
  summary: 'Canonical form of the address: an identity key, not a delivery address',
  read: ({ address }) => (address === null ? unknown('not_applicable') : known(normalizeAddress(address))),
};
