import { known, type Reading } from '../../reading.ts';
import type { Signal, Sources } from '../signal.ts';
import type { Subject } from '../subject.ts';
import { domainAge } from './domain-age.ts';

const agePoints = { perYear: 2.5, max: 25 };
const mailPoints = {
  mx: 5,
  spf: { strict: 4, relaxed: 4, neutral: 1, permissive: 0, missing: 0, invalid: 0 },
  dmarc: { reject: 5, quarantine: 4, none: 2, missing: 0, invalid: 0 },
} as const;
const maxSpf = 4;
const maxDmarc = 5;

/** A domain that a ranking does not have stays below the millionth of it, which has 40. */
const maxUnranked = 39;
/** Without a ranking the authority is unknown: a domain could be one of the first. */
const maxWithoutRanking = 60;

/** How established a domain is. The formula is documented in docs/signals.md. */
export const domainAuthority: Signal<number> = {
  subject: 'domain',
  schema: { type: 'integer', minimum: 0, maximum: 100 },
  about: 'How established the domain is, 0 to 100.',
  label: 'Authority',
  group: 'Domain · standing',
  from: 'ranks, age, mail set-up',
  pro: true,
  lookup: { name: 'domain_authority', column: 'fact' },
  gates: { name: 'domain_authority' },
  read(subject, sources): Reading<number> {
    const { rank } = sources.facts;
    if (rank !== null) {
      return known(Math.max(0, Math.round(100 - 10 * Math.log10(rank))));
    }
    return fromAgeAndMail(subject, sources);
  },
  why(subject, sources) {
    const { facts } = sources;
    const { registrable } = subject.domain;
    const ranking = registrable === null ? [] : facts.ranking.explain(registrable);
    if (facts.rank !== null) return ranking;
    const { reached, possible } = pointsOf(subject, sources);
    const detail = `${reached.toFixed(1)} of ${possible} points for age and mail set-up`;
    return [...ranking, { source: 'formula', detail }];
  },
};

/** An unknown part neither adds nor subtracts: the score is a share of the points that were possible. */
function fromAgeAndMail(subject: Subject, sources: Sources): Reading<number> {
  const { isRankingLoaded } = sources.facts;
  const { reached, possible } = pointsOf(subject, sources);
  if (possible > 0) {
    return known(Math.round(((isRankingLoaded ? maxUnranked : maxWithoutRanking) * reached) / possible));
  }
  // Then the age is unknown too, and says why.
  return isRankingLoaded ? known(0) : domainAge.read(subject, sources);
}

interface Points {
  readonly reached: number;
  readonly possible: number;
}

function pointsOf(subject: Subject, sources: Sources): Points {
  const { mx, spf, dmarc } = sources.facts;
  const age = domainAge.read(subject, sources);
  let reached = 0;
  let possible = 0;
  if (age.known) {
    reached += Math.min(agePoints.max, (age.value / 365.25) * agePoints.perYear);
    possible += agePoints.max;
  }
  if (mx.known) {
    reached += mx.value.length > 0 ? mailPoints.mx : 0;
    possible += mailPoints.mx;
  }
  if (spf.known) {
    reached += mailPoints.spf[spf.value];
    possible += maxSpf;
  }
  if (dmarc.known) {
    reached += mailPoints.dmarc[dmarc.value];
    possible += maxDmarc;
  }
  return { reached, possible };
}
