import type { Address } from '../../address/address.ts';
import { characterCount } from '../../input/json-value.ts';
import { known, unknown } from '../../reading.ts';
import type { GatesPlace, Signal } from '../signal.ts';

/** A part of the address, which rules see and lookups do not repeat. */
function part(
  gates: GatesPlace,
  label: string,
  about: string,
  of: (address: Address) => string | null,
): Signal<string> {
  return {
    subject: 'address',
    schema: { type: 'string' },
    about,
    label,
    group: 'Email',
    from: 'the address',
    gates,
    read({ address }) {
      const text = address === null ? null : of(address);
      return text === null ? unknown('not_applicable') : known(text);
    },
  };
}

export const submittedAddress: Signal<string> = {
  ...part(
    { name: 'address', personal: 'hash' },
    'Address',
    'The address as submitted.',
    (address) => address.submitted,
  ),
  names: 'email',
};
export const localPart = part(
  { name: 'local_part', personal: 'nothing' },
  'Local part',
  'The part before the @, including the tag.',
  (address) => address.localPart,
);
export const subaddress = part(
  { name: 'subaddress', personal: 'nothing' },
  'Tag',
  'The tag after the first + of the local part; unknown when there is none.',
  (address) => address.tag,
);

/** The characters of the local part, counted. */
export const localPartLength: Signal<number> = {
  subject: 'address',
  schema: { type: 'integer', minimum: 1, maximum: 64 },
  about: 'The length of the local part.',
  label: 'Length of the local part',
  group: 'Email',
  unit: 'characters',
  from: 'the address',
  gates: { name: 'local_part_length', always: true },
  read: ({ address }) => (address === null ? unknown('not_applicable') : known(characterCount(address.localPart))),
};
