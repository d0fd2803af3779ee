import { likelyElsewhere } from './typing-slip.ts';

/** A well-known mail domain that people mistype. */
export interface TypoTarget {
  readonly domain: string;
  /** Rough popularity; breaks ties. */
  readonly weight: number;
  /** So well known that any single slip is read as this name. */
  readonly brand?: boolean;
  /** Known in one country: two slips make it too much of a guess. */
  readonly national?: boolean;
}

/** The domains in `data/typo-targets.json` that people mean to type. */
export interface TypoTargetGroups {
  readonly targets: readonly TypoTarget[];
  /** One name under many suffixes. */
  readonly families: readonly (Omit<TypoTarget, 'domain'> & {
    readonly label: string;
    readonly suffixes: readonly string[];
  })[];
  /** Mailbox domains of one country, by its code, and of services that belong to none. */
  readonly national: Readonly<Record<string, readonly string[]>>;
}

/** The popularity of a domain that is named without one. */
const plainWeight = 5;

/** Every target once; the first group that names a domain decides. */
export function targetsOf({ targets, families, national }: TypoTargetGroups): TypoTarget[] {
  const inFamilies = families.flatMap(({ label, suffixes, ...kind }) =>
    suffixes.map((suffix) => ({ ...kind, domain: `${label}.${suffix}` })),
  );
  const inCountries = Object.values(national)
    .flat()
    .map((domain) => ({ domain, weight: plainWeight, national: true }));
  const byDomain = new Map<string, TypoTarget>();
  for (const target of [...targets, ...inFamilies, ...inCountries]) {
    if (!byDomain.has(target.domain)) byDomain.set(target.domain, target);
  }
  return [...byDomain.values()];
}

export interface ComparableTarget extends TypoTarget {
  readonly label: string;
  readonly suffix: string;
  readonly letters: number;
  readonly limits: Limits;
}

/** How far a label may be from a target's. */
export interface Limits {
  readonly cost: number;
  readonly slips: number;
  /** Letters that may differ as sets: a slip changes two at most. */
  readonly letters: number;
  /** Below these lengths a label is not a candidate with one slip, or with two. */
  readonly shortestForOne: number;
  readonly shortestForTwo: number;
  /**
   * A further condition for a short label. `mixed`: a digit among letters, or a letter among digits; `longer`: `mixed`, a key too
   * many, or the same letters in another order.
   */
  readonly onlyIf?: 'mixed' | 'longer';
}

/** Prepares a target for comparison. */
export function toComparable(target: TypoTarget): ComparableTarget {
  const dot = target.domain.indexOf('.');
  const label = target.domain.slice(0, dot);
  return {
    ...target,
    label,
    suffix: target.domain.slice(dot + 1),
    letters: lettersOf(label),
    limits: limitsOf(target, label),
  };
}

/** Generic suffixes, where nearly every short name is registered. */
const crowded = /\.(?:com|net|org|me)$/;

/** The shorter a name, the more of its neighbours are real domains. */
function limitsOf({ domain, brand, national }: TypoTarget, label: string): Limits {
  const { length } = label;
  const short = { cost: likelyElsewhere, slips: 1, shortestForTwo: length + 2 };
  // Two letters, and numbers: every neighbour is registered.
  if (length < 3 || /^[0-9]+$/.test(label)) {
    return { ...short, letters: 2, shortestForOne: crowded.test(domain) ? 4 : 3, onlyIf: 'mixed' };
  }
  // Two letters swapped only where few names of three letters are taken.
  if (length < 4 || (length < (national === true ? 6 : 5) && crowded.test(domain))) {
    return { ...short, letters: 2, shortestForOne: crowded.test(domain) ? 4 : 3, onlyIf: 'longer' };
  }
  // A key beside the right one too; with a letter missing it would be a name of three.
  if (length < 5) {
    return { ...short, letters: 2, shortestForOne: 4 };
  }
  if (brand !== true && (length < 8 || national === true)) {
    const cost = length > 7 ? 1.5 : length === 7 ? 1.25 : likelyElsewhere;
    return { cost, slips: 1, letters: 2, shortestForOne: length - 1, shortestForTwo: length + 2 };
  }
  return { cost: 2, slips: 2, letters: 4, shortestForOne: length - 1, shortestForTwo: Math.max(length - 2, 5) };
}

/** A letter's bit in a set of letters; digits and the hyphen share six. */
export function letterBit(code: number): number {
  return 1 << (code >= 0x61 ? code - 0x61 : 26 + (code % 6));
}

/** The bits of the letters proper. */
export const letterBits = 0x03ffffff;

/** The set of a label's letters, as bits. */
function lettersOf(label: string): number {
  let bits = 0;
  for (let index = 0; index < label.length; index++) bits |= letterBit(label.charCodeAt(index));
  return bits;
}
