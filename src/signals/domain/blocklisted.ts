import { knownBoolean, unknown } from '../../reading.ts';
import type { CallerSignal } from '../signal.ts';

/** The customer's own list. */
export const blocklisted: CallerSignal<boolean> = {
  subject: 'domain',
  schema: { type: 'boolean' },
  about: 'The domain is on your blocklist.',
  label: 'On your blocklist',
  group: 'Domain · lists',
  from: 'your blocklist',
  pro: true,
  lookup: { name: 'blocklisted', always: true },
  gates: { name: 'blocklisted' },
  readForCaller: ({ blocklisted: listed }) => (listed === null ? unknown('not_applicable') : knownBoolean(listed)),
};
