import type { ListName } from '../../signals/sources.ts';
import type { SourceKind } from '../sources/source-catalogue.ts';

/**
 * The flags of one entry of the table. The verdict about a name is made from the flags of its entry and its parents'
 * (see `walk` and `verdict`).
 */
export const Flag = {
  /** A strong source, a brand or our own file names it as disposable. */
  strong: 1,
  /** Sources that are not strong list it as disposable, with enough votes. */
  weak: 2,
  public: 4,
  relay: 8,
  /** The relay's subdomains are relay addresses too. */
  relaySubdomains: 16,
  /** A suffix whose names belong to strangers: nothing is inherited through it. */
  boundary: 32,
  /** A boundary whose names cost nothing. */
  free: 64,
  spam: 128,
  allow: 256,
  /** A known public provider: weak votes do not make it disposable. */
  trusted: 512,
  /** A real name: never "corrected". */
  known: 1024,
  /** A public suffix may lie below it (s3.amazonaws.com below amazonaws.com): checked before a subdomain inherits. */
  split: 2048,
  /** Allowed even where a strong source lists it. */
  overrule: 4096,
} as const;

/** The TLD trust score, 1 to 5, sits above the flags; 0 is none. */
export const trustShift = 16;
export const trustMask = 7 << trustShift;

/** The flags that a subdomain inherits from a parent's entry. */
export const inheritedFlags =
  Flag.strong | Flag.weak | Flag.relaySubdomains | Flag.spam | Flag.allow | Flag.trusted | Flag.overrule;

/** A list of domains: how its verdict follows from flags, and how it is explained and counted. */
export interface DomainList {
  /** Its bit in a verdict. */
  readonly verdict: number;
  /** The flag of the snapshot that alone decides the verdict; lists without one have their rule in `verdict`. */
  readonly flag?: number;
  /** Its name in the counts of `lists status`, where that is another. */
  readonly countedAs?: string;
  /** The statement of each kind of source about a name that it lists. */
  readonly evidence: Readonly<Partial<Record<SourceKind, string>>>;
  /** The statement of an operator's entry about a name, by its flag. */
  readonly operatorEvidence: readonly (readonly [flag: number, text: string])[];
  /** Whether an entry says something about a name: its own, or one below it. */
  readonly concerns?: (flags: number, isNameItself: boolean) => boolean;
}

export const domainLists = {
  disposable: {
    verdict: 1,
    evidence: {
      strong: 'lists it as disposable',
      gathered: 'lists it as disposable (decides alone: no list that it copies has the name)',
      weak: 'lists it as disposable (needs a second list to agree, unless names there cost nothing)',
      allow: 'allows it, unless a strong source lists it',
      relay: 'lists it as a relay, which is never disposable',
    },
    operatorEvidence: [
      [Flag.allow, 'the operator allows it'],
      [Flag.strong, 'the operator lists it as disposable'],
      [Flag.relaySubdomains, 'the operator lists it as a relay, which is never disposable'],
    ],
  },
  public: {
    verdict: 2,
    evidence: { public: 'lists it as a public mail service', own_public: 'lists it as a public mail service' },
    operatorEvidence: [[Flag.public, 'the operator lists it as public']],
    // Holds for the name itself only.
    concerns: (_, isNameItself) => isNameItself,
  },
  relay: {
    verdict: 4,
    evidence: { relay: 'lists it as a relay' },
    operatorEvidence: [[Flag.relaySubdomains, 'the operator lists it as a relay']],
    concerns: (flags, isNameItself) => isNameItself || (flags & Flag.relaySubdomains) !== 0,
  },
  free_subdomain: {
    verdict: 8,
    flag: Flag.free,
    countedAs: 'freeSubdomainSuffixes',
    evidence: { boundary: 'names the suffix as a service that gives subdomains away' },
    operatorEvidence: [],
    // A suffix flags its tenants only.
    concerns: (flags, isNameItself) => !isNameItself && (flags & Flag.free) !== 0,
  },
  spam: {
    verdict: 16,
    evidence: {},
    operatorEvidence: [
      [Flag.allow, 'the operator allows it'],
      [Flag.spam, 'the operator lists it as spam'],
    ],
  },
} as const satisfies Readonly<Record<ListName, DomainList>>;

/** The lists whose verdict is one flag of the snapshot. */
export const singleFlagLists = Object.entries<DomainList>(domainLists).flatMap(
  ([name, { flag, verdict, countedAs }]) =>
    flag === undefined ? [] : [{ flag, verdict, countedAs: countedAs ?? name }],
);

/** The verdicts about a name, one bit each, so that one walk produces all of them. */
export const Verdict = {
  disposable: domainLists.disposable.verdict,
  public: domainLists.public.verdict,
  relay: domainLists.relay.verdict,
  spam: domainLists.spam.verdict,
  known: 32,
  /** Well known, popular or allowed: facts learnt about its mail servers do not count against it. */
  trusted: 64,
  /** The operator allows it. */
  allowed: 128,
} as const;

const verdictBits = [...Object.values(Verdict), ...Object.values<DomainList>(domainLists).map((list) => list.verdict)];
/** The TLD trust score sits above all bits of a verdict. */
export const verdictTrustShift = 32 - Math.clz32(Math.max(...verdictBits));
const verdictTrustMask = trustMask >>> trustShift;

/** The trust score in a verdict; null without one. */
export function trustIn(verdict: number): number | null {
  return (verdict >>> verdictTrustShift) & verdictTrustMask || null;
}
