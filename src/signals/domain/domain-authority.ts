import { known, type Reading, unknown } from '../../reading.ts';
import type { Signal, Sources } from '../signal.ts';
import type { DomainFacts } from '../sources.ts';
import type { Subject } from '../subject.ts';
import { domainAge } from './domain-age.ts';

/** An unranked domain stays below the millionth ranked one, which has 40. */
const agePoints = { perYear: 2.5, most: 25 };
const mailPoints = {
  mx: 5,
  spf: { strict: 4, relaxed: 4, neutral: 1, permissive: 0, missing: 0, invalid: 0 },
  dmarc: { reject: 5, quarantine: 4, none: 2, missing: 0, invalid: 0 },
} as const;

/** How established a domain is. The formula is documented in docs/signals.md. */
export const domainAuthority: Signal<number> = {
  subject: 'domain',
  schema: { type: 'integer', minimum: 0, maximum: 100 },
  about: 'How established the domain is, 0 to 100.',
  from: 'ranks, age, mail set-up',
  pro: true,
  lookup: { name: 'domain_authority', column: 'fact' },
  gates: { name: 'domain_authority' },
  read(subject, sources): Reading<number> {
    const { rank } = sources.facts;
    if (rank !== null) {
      const score = Math.max(0, Math.round(100 - 10 * Math.log10(rank)));
      return known(score, () => [{ source: 'rank', detail: `popularity rank ${rank}` }]);
    }
    return fromAgeAndMail(subject, sources);
  },
};

function fromAgeAndMail(subject: Subject, sources: Sources): Reading<number> {
  const age = domainAge.read(subject, sources);
  // A registry that publishes no date is an answer; one that was not reached, or not yet, is not.
  if (!age.known && age.reason !== 'no_data') return unknown(age.reason);
  const years = age.known ? age.value / 365.25 : 0;
  const score = Math.round(Math.min(agePoints.most, years * agePoints.perYear) + mailScore(sources.facts));
  return known(score, () => [
    { source: 'formula', detail: `not ranked; ${years.toFixed(1)} years and the mail set-up` },
  ]);
}

function mailScore({ mx, spf, dmarc }: DomainFacts): number {
  return (
    (mx.known && mx.value.length > 0 ? mailPoints.mx : 0) +
    (spf.known ? mailPoints.spf[spf.value] : 0) +
    (dmarc.known ? mailPoints.dmarc[dmarc.value] : 0)
  );
}
