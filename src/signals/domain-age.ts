import { known } from '../reading.ts';
import type { Signal } from './signal.ts';

const dayMs = 86_400_000;

/** Age of the registrable domain. */
export const domainAge: Signal<number> = {
  name: 'domain_age_in_days',
  summary: 'Whole days since the registrable domain was registered',
  read(_subject, { facts: { registeredAtMs }, nowMs }) {
    if (!registeredAtMs.known) return registeredAtMs;
    // A registry's clock or ours may be off: an age is never negative.
    return known(Math.max(0, Math.floor((nowMs - registeredAtMs.value) / dayMs)), registeredAtMs.why);
  },
};
