import { normalizeAddress } from '../../address/normalize.ts';
import { known, unknown } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** The identity behind the spellings of one mailbox. */
export const normalizedEmail: Signal<string> = {
  subject: 'address',
  schema: { type: 'string' },
  names: 'email',
  about: 'The canonical form of the address: tags and provider aliases removed.',
  label: 'Normalised address',
  group: 'Email',
  from: 'table of providers',
  lookup: { name: 'normalized_email', always: true, note: 'An identity key, not a delivery address' },
  gates: { name: 'normalized', personal: 'hash' },
  read: ({ address }) => (address === null ? unknown('not_applicable') : known(normalizeAddress(address))),
};
