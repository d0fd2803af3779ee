import { knownBoolean } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** Spam or abuse: the operator's list, or one of the configured DNS blocklist zones. Unknown while none of the zones answers. */
export const spam: Signal<boolean> = {
  subject: 'domain',
  schema: { type: 'boolean' },
  about: 'The domain is associated with spam or abuse.',
  label: 'Spam or abuse',
  group: 'Domain · lists',
  from: 'your list, DNS blocklists of your choice',
  lookup: { name: 'spam', always: true, column: 'verdict' },
  gates: { name: 'spam' },
  read({ domain }, { lists, facts: { dnsbl } }) {
    if (dnsbl.known && dnsbl.value) return dnsbl;
    const isListed = lists.isListed('spam', domain.ascii);
    if (!isListed && !dnsbl.known && dnsbl.reason !== 'not_applicable') return dnsbl;
    return knownBoolean(isListed);
  },
  why: ({ domain }, { lists }) => lists.explain('spam', domain.ascii),
};
