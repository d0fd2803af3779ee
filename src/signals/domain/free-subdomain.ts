import { knownBoolean } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** A name under a service where anybody gets one for free: dynamic DNS, free subdomains, hosting platforms. */
export const freeSubdomain: Signal<boolean> = {
  subject: 'domain',
  schema: { type: 'boolean' },
  about: 'The domain is a name under a service where anybody gets one for free.',
  label: 'Free subdomain',
  group: 'Domain · lists',
  from: 'lists',
  lookup: { name: 'free_subdomain', always: true, column: 'verdict' },
  gates: { name: 'free_subdomain' },
  read: ({ domain }, { lists }) => knownBoolean(lists.isFreeSubdomain(domain.ascii)),
  why: ({ domain }, { lists }) => lists.explain('free_subdomain', domain.ascii),
};
