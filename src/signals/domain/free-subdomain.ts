import { known } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** A tenant of a free-subdomain or dynamic DNS service. */
export const freeSubdomain: Signal<boolean> = {
  subject: 'domain',
  schema: { type: 'boolean' },
  about: 'The domain is a tenant of a free-subdomain or dynamic DNS service.',
  from: 'lists',
  lookup: { name: 'free_subdomain', always: true, column: 'verdict' },
  gates: { name: 'free_subdomain' },
  read: ({ domain }, { lists }) =>
    known(lists.isFreeSubdomain(domain.ascii), () => lists.explain('free_subdomain', domain.ascii)),
};
