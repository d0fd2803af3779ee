import { hash } from 'node:crypto';
import { normalizeAddress } from '../../address/normalize.ts';
import { known, unknown } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** A throwaway address on an otherwise ordinary domain; the list holds hashes, so it can be shared without addresses. */
export const disposableAddress: Signal<boolean> = {
  subject: 'address',
  schema: { type: 'boolean' },
  about: 'This address itself is known to be disposable, whatever its domain.',
  label: 'Disposable address',
  group: 'Email',
  from: 'your list of addresses',
  lookup: { name: 'disposable_address', explainOnly: true },
  gates: { name: 'disposable', note: 'The address alone' },
  read({ address }, { lists }) {
    if (address === null) return unknown('not_applicable');
    if (!lists.hasDisposableAddresses) return known(false);
    const listed = lists.isDisposableAddress(hash('sha256', normalizeAddress(address)));
    return known(listed, () => (listed ? [{ source: 'operator', detail: 'the address is listed' }] : []));
  },
};
