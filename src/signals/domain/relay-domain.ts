import { known } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** A forwarding service whose addresses lead to a hidden mailbox. */
export const relayDomain: Signal<boolean> = {
  subject: 'domain',
  schema: { type: 'boolean' },
  about: 'The domain forwards to hidden mailboxes.',
  label: 'Relay',
  group: 'Domain · lists',
  from: 'lists',
  lookup: { name: 'relay_domain', always: true, column: 'verdict' },
  gates: { name: 'relay_domain' },
  read: ({ domain }, { lists }) => known(lists.isRelay(domain.ascii), () => lists.explain('relay', domain.ascii)),
};
