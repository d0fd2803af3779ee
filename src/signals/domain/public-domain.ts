import { knownBoolean } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** A public email service where anyone can create a mailbox. */
export const publicDomain: Signal<boolean> = {
  subject: 'domain',
  schema: { type: 'boolean' },
  about: 'Anyone can open a mailbox at this domain.',
  label: 'Public mail',
  group: 'Domain · lists',
  from: 'lists',
  lookup: { name: 'public_domain', always: true, column: 'verdict' },
  gates: { name: 'public_domain' },
  read: ({ domain }, { lists }) => knownBoolean(lists.isPublic(domain.ascii)),
  why: ({ domain }, { lists }) => lists.explain('public', domain.ascii),
};
