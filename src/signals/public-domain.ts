import { known } from '../reading.ts';
import type { Signal } from './signal.ts';

/** A public email service where anyone can create a mailbox. */
export const publicDomain: Signal<boolean> = {
  name: 'public_domain',
  summary: 'A public email service where anyone can create a mailbox',
  read: ({ domain }, { lists }) => known(lists.isPublic(domain.ascii), () => lists.explain('public', domain.ascii)),
};
