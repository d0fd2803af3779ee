import { known, unknown } from '../reading.ts';
import type { Signal } from './signal.ts';

/** Deprecated by comparing the address with its normalised form. */
export const alias: Signal<boolean> = {
  name: 'alias',
  summary: 'Deprecated: the submitted address contains a + tag',
  read: ({ address }) => (address === null ? unknown('not_applicable') : known(address.tag !== null)),
};
