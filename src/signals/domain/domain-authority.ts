import { type Evidence, known, type Reading, unknown } from '../../reading.ts';
import type { Signal, Sources } from '../signal.ts';
import type { DomainFacts } from '../sources.ts';
import type { Subject } from '../subject.ts';
import { domainAge } from './domain-age.ts';

const agePoints = { perYear: 2.5, most: 25 };
const mailPoints = {
  mx: 5,
  spf: { strict: 4, relaxed: 4, neutral: 1, permissive: 0, missing: 0, invalid: 0 },
  dmarc: { reject: 5, quarantine: 4, none: 2, missing: 0, invalid: 0 },
} as const;
const mostSpf = 4;
const mostDmarc = 5;

/** A domain that a ranking does not have stays below the millionth of it, which has 40. */
const mostUnranked = 39;
/** Without a ranking, nobody knows; a domain could be one of the first. */
const mostWithoutRanking = 60;

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
      const score = Math.max(0, Math.round(100 - 10 * Math.log10(rank)));
      return known(score, () => rankEvidence(subject, sources));
    }
    return fromAgeAndMail(subject, sources);
  },
};

/** An unknown part neither adds nor subtracts: the score is a share of the points that were possible. */
function fromAgeAndMail(subject: Subject, sources: Sources): Reading<number> {
  const { facts } = sources;
  const age = domainAge.read(subject, sources);
  const parts = [...(age.known ? [agePart(age.value)] : []), ...mailParts(facts)];
  if (parts.length === 0 && !facts.isRankingLoaded) return unknown(age.known ? 'no_data' : age.reason);
  const most = facts.isRankingLoaded ? mostUnranked : mostWithoutRanking;
  const points = sum(parts.map((part) => part.points));
  const possible = sum(parts.map((part) => part.most));
  const score = possible === 0 ? 0 : Math.round((most * points) / possible);
  return known(score, () => [
    ...rankEvidence(subject, sources),
    { source: 'formula', detail: `${points.toFixed(1)} of ${possible} points for age and mail set-up` },
  ]);
}

function rankEvidence({ domain }: Subject, { facts }: Sources): Evidence[] {
  return domain.registrable === null ? [] : facts.ranking.explain(domain.registrable);
}

interface Part {
  readonly points: number;
  readonly most: number;
}

function agePart(days: number): Part {
  return { points: Math.min(agePoints.most, (days / 365.25) * agePoints.perYear), most: agePoints.most };
}

function mailParts({ mx, spf, dmarc }: DomainFacts): Part[] {
  return [
    ...(mx.known ? [{ points: mx.value.length > 0 ? mailPoints.mx : 0, most: mailPoints.mx }] : []),
    ...(spf.known ? [{ points: mailPoints.spf[spf.value], most: mostSpf }] : []),
    ...(dmarc.known ? [{ points: mailPoints.dmarc[dmarc.value], most: mostDmarc }] : []),
  ];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
