import { known } from '../reading.ts';
import type { Signal } from './signal.ts';

/** A forwarding service whose addresses lead to a hidden mailbox. */
export const relayDomain: Signal<boolean> = {
  name: 'relay_domain',
  summary: 'A forwarding service whose addresses lead to a hidden mailbox',
  read: ({ domain }, { lists }) => known(lists.isRelay(domain.ascii), () => lists.explain('relay', domain.ascii)),
};
