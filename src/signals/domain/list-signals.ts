import { knownBoolean } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** The signals that say no more than whether a list names the domain. */
const rows = {
  publicDomain: {
    list: 'public',
    name: 'public_domain',
    label: 'Public mail',
    about: 'Anyone can open a mailbox at this domain.',
  },
  relayDomain: {
    list: 'relay',
    name: 'relay_domain',
    label: 'Relay',
    about: 'The domain forwards to hidden mailboxes.',
  },
  freeSubdomain: {
    list: 'free_subdomain',
    name: 'free_subdomain',
    label: 'Free subdomain',
    about: 'The domain is a name under a service where anyone gets one for free.',
  },
} as const;

export type SignalList = (typeof rows)[keyof typeof rows]['list'];

export const publicDomain = listSignal(rows.publicDomain);
export const relayDomain = listSignal(rows.relayDomain);
export const freeSubdomain = listSignal(rows.freeSubdomain);

function listSignal({ list, name, label, about }: (typeof rows)[keyof typeof rows]): Signal<boolean> {
  return {
    subject: 'domain',
    schema: { type: 'boolean' },
    about,
    label,
    group: 'Domain · lists',
    from: 'lists',
    lookup: { name, always: true, column: 'verdict' },
    gates: { name },
    read: ({ domain }, { lists }) => knownBoolean(lists.isListed(list, domain.ascii)),
    why: ({ domain }, { lists }) => lists.explain(list, domain.ascii),
  };
}
