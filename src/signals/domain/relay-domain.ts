import { knownBoolean } from '../../reading.ts';
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
  read: ({ domain }, { lists }) => knownBoolean(lists.isRelay(domain.ascii)),
  why: ({ domain }, { lists }) => lists.explain('relay', domain.ascii),
};
