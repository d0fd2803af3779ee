import { known } from '../reading.ts';
import type { Signal } from './signal.ts';

/** Spam or abuse: the operator's list, or one of the configured DNS blocklist zones. A zone that does not answer says nothing. */
export const spam: Signal<boolean> = {
  name: 'spam',
  summary: 'The domain is associated with spam or abuse; independent of disposable',
  read({ domain }, { lists, facts: { dnsbl } }) {
    if (dnsbl.known && dnsbl.value) return dnsbl;
    return known(lists.isSpam(domain.ascii), () => lists.explain('spam', domain.ascii));
  },
};
