import { known } from '../../reading.ts';
import type { Signal } from '../signal.ts';

const dayMs = 86_400_000;

/** Age of the registrable domain. */
export const domainAge: Signal<number> = {
  subject: 'domain',
  schema: { type: 'integer', minimum: 0 },
  about: 'Whole days since the domain was registered.',
  label: 'Age',
  group: 'Domain · standing',
  unit: 'days',
  from: 'RDAP, WHOIS',
  lookup: { name: 'domain_age_in_days', column: 'fact' },
  gates: { name: 'age_days' },
  read(_subject, { facts: { registeredAtMs }, nowMs }) {
    if (!registeredAtMs.known) return registeredAtMs;
    // A registry's clock or ours may be off: an age is never negative.
    return known(Math.max(0, Math.floor((nowMs - registeredAtMs.value) / dayMs)), registeredAtMs.why);
  },
};
