import type { Wave } from './wave.ts';

/** The value of a condition on the list of a draft, until the list is known. */
export const draftList = '';

/** A list that holds a network or an autonomous system, with the field that is compared with it; null for another kind. */
export function listOfWave({ kind, value }: Pick<Wave, 'kind' | 'value'>) {
  if (kind !== 'network') return null;
  return value.startsWith('AS')
    ? ({ kind: 'asn', field: 'ip.network.asn', entry: value.slice(2) } as const)
    : ({ kind: 'ip', field: 'ip.address', entry: value } as const);
}
