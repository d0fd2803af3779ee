import { known, unknown } from '../reading.ts';
import type { Signal } from './signal.ts';

/** How strict the registration rules of the TLD are. */
export const tldTrust: Signal<number> = {
  name: 'tld_trust',
  summary: 'How strict the TLD checks who registers: 1 not at all, 5 vetted registrants only',
  proOnly: true,
  read({ domain }, { lists }) {
    const trust = lists.tldTrust(domain.ascii);
    return trust === null ? unknown('no_data') : known(trust, () => [{ source: 'tld-trust', detail: domain.tld }]);
  },
};
