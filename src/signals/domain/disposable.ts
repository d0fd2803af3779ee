import { known } from '../../reading.ts';
import { disposableAddress } from '../address/disposable-address.ts';
import type { Signal } from '../signal.ts';

/** The domain, or a parent of it, belongs to a disposable email service; an address is disposable by either. */
export const disposable: Signal<boolean> = {
  subject: 'domain',
  schema: { type: 'boolean' },
  about: 'The domain belongs to a disposable-email service.',
  from: 'lists',
  lookup: { name: 'disposable', always: true, column: 'verdict' },
  gates: { name: 'disposable' },
  read: ({ domain }, { lists }) =>
    known(lists.isDisposable(domain.ascii), () => lists.explain('disposable', domain.ascii)),
  forAddress(ofDomain, subject, sources) {
    const own = disposableAddress.read(subject, sources);
    return own.known && own.value ? own : ofDomain;
  },
};
