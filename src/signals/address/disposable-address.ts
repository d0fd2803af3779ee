import { hash } from 'node:crypto';
import type { Address } from '../../address/address.ts';
import { normalizeAddress } from '../../address/normalize.ts';
import { knownBoolean, unknown } from '../../reading.ts';
import type { Signal } from '../signal.ts';
import type { ListSource } from '../sources.ts';

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
  read: ({ address }, { lists }) =>
    address === null ? unknown('not_applicable') : knownBoolean(isDisposableAddress(address, lists)),
  why: ({ address }, { lists }) =>
    address !== null && isDisposableAddress(address, lists)
      ? [{ source: 'operator', detail: 'the address is listed' }]
      : [],
};

/** Whether the operator listed the address itself. */
export function isDisposableAddress(address: Address, lists: ListSource): boolean {
  return lists.hasDisposableAddresses && lists.isDisposableAddress(hash('sha256', normalizeAddress(address)));
}
