import { known, unknown } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** How strict the registration rules of the TLD are. */
export const tldTrust: Signal<number> = {
  subject: 'domain',
  schema: { type: 'integer', minimum: 1, maximum: 5 },
  about: 'How strict the TLD is about its registrants, 1 to 5.',
  label: 'Trust in the TLD',
  group: 'Domain · standing',
  from: 'table of suffixes',
  pro: true,
  lookup: { name: 'tld_trust' },
  gates: { name: 'tld_trust' },
  read({ domain }, { lists }) {
    const trust = lists.tldTrust(domain.ascii);
    return trust === null ? unknown('no_data') : known(trust);
  },
  why: ({ domain }, { lists }) => lists.explain('tld', domain.ascii),
};
