import { knownBoolean, unknown } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** Deprecated by comparing the address with its normalised form. */
export const alias: Signal<boolean> = {
  subject: 'address',
  schema: { type: 'boolean' },
  about: 'Deprecated: the submitted address contains a + tag.',
  label: 'Has a tag',
  group: 'Email',
  from: 'the address',
  lookup: { name: 'alias', always: true, deprecated: true, note: 'The address contains a + tag' },
  read: ({ address }) => (address === null ? unknown('not_applicable') : knownBoolean(address.tag !== null)),
};
