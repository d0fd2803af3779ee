import { known } from '../reading.ts';
import type { Signal } from './signal.ts';

/** A tenant of a free-subdomain or dynamic DNS service. */
export const freeSubdomain: Signal<boolean> = {
  name: 'free_subdomain',
  summary: 'A tenant of a free-subdomain or dynamic DNS service',
  read: ({ domain }, { lists }) =>
    known(lists.isFreeSubdomain(domain.ascii), () => lists.explain('free_subdomain', domain.ascii)),
};
