import { type Curated, curatedSources, freeCategories } from '../sources/curated.ts';
import { providerBook } from '../sources/providers.ts';
import { isPublicSuffix, publicSuffixLength } from '../sources/public-suffix.ts';
import type { SourceList } from '../sources/read-packages.ts';
import { hasEnoughVotes, kindBits, sourceBit } from '../sources/source-catalogue.ts';
import { suffixParents } from '../sources/suffix-rules.ts';
import { Flag, trustShift } from './flags.ts';
import type { ListEntry } from './list-table.ts';

/** The inputs of a snapshot; `suggest` recognises misspelt mail services. */
export interface CombineInput {
  readonly lists: readonly SourceList[];
  readonly curated: Curated;
  readonly tlds: readonly string[];
  readonly suggest: (name: string) => string | null;
}

/** The entries of the table, and the names that were left out. */
export interface Combined {
  readonly entries: ListEntry[];
  readonly providers: readonly string[];
  /** Names in packages that are public suffixes: they would flag every tenant. */
  readonly droppedSuffixes: readonly string[];
}

const bits = {
  strong: kindBits('strong'),
  gathered: kindBits('gathered'),
  weak: kindBits('weak'),
  public: kindBits('public'),
  ownPublic: kindBits('own_public'),
  relay: kindBits('relay'),
  allow: kindBits('allow'),
  known: kindBits('known'),
  brands: sourceBit('data/disposable-brands.json'),
  ownStrong: sourceBit('data/disposable-brands.json') | sourceBit('data/disposable-domains.json'),
} as const;

/** Tenants of these are throwaway names when a list has them; a hosting platform also has real ones. */
const throwawayCategories: ReadonlySet<string> = new Set(['ddns', 'free_subdomain']);

/** Every source that calls a name disposable, strong or weak. */
const called = bits.strong | bits.gathered | bits.weak;

/** Merges all sources into one entry per name, with the flags of the combining rule. */
export function combine(input: CombineInput): Combined {
  const { curated } = input;
  const boundaries = new Map(curated.boundaries.map((each) => [each.suffix, each.category]));
  const droppedSuffixes = new Set<string>();
  const sources = gatherSources(input, boundaries, droppedSuffixes);
  const trust = trustScores(curated, input.tlds);
  const decide = flagDecider(input, boundaries, trust);
  const splits = suffixParents();
  const book = providerBook(curated, input.lists);
  addSource(sources, 'data/tld-trust.json', trust.keys());
  const entries = Array.from(sources, ([name, named]) => {
    const decided = decide(name, named);
    const provider = (decided & (Flag.strong | Flag.weak)) === 0 ? 0 : book.numberOf(name);
    // Even strong lists hold misspellings that people typed (gmial.com); one with a service behind it is not a misspelling.
    const isMistyped = provider === 0 && (named & bits.ownStrong) === 0 && input.suggest(name) !== null;
    const flags = isMistyped ? decided & ~Flag.strong : decided;
    const known = provider === 0 ? 0 : Flag.known;
    return {
      name,
      flags: flags | known | (splits.has(name) ? Flag.split : 0) | ((trust.get(name) ?? 0) << trustShift),
      sources: named,
      provider,
    };
  });
  return { entries, providers: book.names, droppedSuffixes: [...droppedSuffixes].sort() };
}

/** The sources of each name. A suffix that a package flags is dropped; one that our own files flag is an error. */
function gatherSources(input: CombineInput, boundaries: ReadonlyMap<string, string>, dropped: Set<string>) {
  const { curated } = input;
  const sources = new Map<string, number>();
  const isSuffix = (name: string): boolean => boundaries.has(name) || isPublicSuffix(name);
  for (const list of input.lists) {
    const kept = list.names.filter((name) => {
      if (!isSuffix(name)) return true;
      dropped.add(name);
      return false;
    });
    addSource(sources, list.name, kept);
  }
  for (const { name: file, kind, names } of curatedSources) {
    const named = names(curated);
    const suffix = kind === 'strong' || kind === 'relay' ? named.find(isSuffix) : undefined;
    if (suffix !== undefined) throw new Error(`${file}: ${suffix} is a suffix that strangers register under`);
    addSource(sources, file, named);
  }
  return sources;
}

function addSource(sources: Map<string, number>, source: string, names: Iterable<string>): void {
  const bit = sourceBit(source);
  for (const name of names) sources.set(name, (sources.get(name) ?? 0) | bit);
}

/**
 * The combining rule for disposable domains, as far as one entry decides it; `verdict` applies the rest over a name's
 * parents. Strong sources count alone; so do the others where they have enough votes, but not against a known public
 * provider, not where registrants are vetted, and not for a typo of a well-known name: lists collect typing errors.
 */
function flagDecider(input: CombineInput, boundaries: ReadonlyMap<string, string>, trust: ReadonlyMap<string, number>) {
  const { curated } = input;
  const relays = new Map(curated.relays.map((relay) => [relay.domain, relay.subdomains]));
  const notPublic = new Set(curated.notPublic);
  const overrule = new Set(curated.overrule);
  const tlds = new Set(input.tlds);
  const throwaway = new Set(curated.throwawaySuffixes);
  const isThrowaway = (name: string): boolean =>
    longestIn(throwaway, name) !== '' || throwawayCategories.has(boundaries.get(longestIn(boundaries, name)) ?? '');
  const { passing, mail } = curated.throwawayWords;
  const saysSo = (name: string): boolean => {
    const own = name.slice(0, name.length - publicSuffixLength(name));
    return passing.some((word) => own.includes(word)) && mail.some((word) => own.includes(word));
  };
  // Universities, public bodies, banks: the registry checks registrants.
  const isVetted = (name: string): boolean => trust.get(longestIn(trust, name)) === 5;
  const isPublic = (name: string, named: number): boolean => {
    if ((named & bits.ownPublic) !== 0) return true;
    if ((named & bits.public) === 0 || notPublic.has(name) || !tlds.has(name.slice(name.lastIndexOf('.') + 1)))
      return false;
    if (hasBoundary(name, boundaries)) return false;
    if ((named & bits.public) === bits.public || (named & bits.allow) !== 0) return true;
    // One package alone is not proof: both contain throwaway names and misspellings (gmail.co) that users typed.
    return (named & called) === 0 && input.suggest(name) === null;
  };
  return (name: string, named: number): number => {
    const category = boundaries.get(name);
    if (category !== undefined) {
      const ownPublic = (named & bits.ownPublic) === 0 ? 0 : Flag.public;
      return Flag.boundary | Flag.known | ownPublic | (freeCategories.has(category) ? Flag.free : 0);
    }
    const relay = relays.get(name);
    if (relay !== undefined) return Flag.relay | Flag.known | (relay ? Flag.relaySubdomains : 0);
    const trusted = (named & (bits.ownPublic | bits.known)) !== 0 || isTrusted(name, named, boundaries);
    const isKnown = (named & (bits.ownPublic | bits.known | bits.allow | bits.brands)) !== 0;
    let flags = 0;
    if ((named & bits.strong) !== 0) flags |= Flag.strong;
    const isCalled = hasEnoughVotes(named, isThrowaway(name)) || ((named & called) !== 0 && saysSo(name));
    if (isCalled && !isVetted(name) && input.suggest(name) === null) flags |= Flag.weak;
    if ((named & bits.allow) !== 0) flags |= Flag.allow;
    if (overrule.has(name)) flags |= Flag.overrule;
    if (trusted) flags |= Flag.trusted;
    if (isPublic(name, named)) flags |= Flag.public;
    if (isKnown || (flags & Flag.public) !== 0) flags |= Flag.known;
    return flags;
  };
}

/** Both public packages name it, and it is not below a boundary: the packages also list tenants of dynamic DNS services. */
function isTrusted(name: string, named: number, boundaries: ReadonlyMap<string, string>): boolean {
  if ((named & bits.public) !== bits.public || hasBoundary(name, boundaries)) return false;
  return !name.slice(0, name.length - publicSuffixLength(name) - 1).includes('.');
}

/** True for a name below a boundary. */
function hasBoundary(name: string, boundaries: ReadonlyMap<string, string>): boolean {
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
    if (boundaries.has(name.slice(at + 1))) return true;
  }
  return false;
}

/** The longest suffix of a name that a table holds; an empty text when there is none. */
function longestIn(table: { has(suffix: string): boolean }, name: string): string {
  let suffix = name;
  while (suffix !== '' && !table.has(suffix))
    suffix = suffix.includes('.') ? suffix.slice(suffix.indexOf('.') + 1) : '';
  return suffix;
}

/** A score for every TLD that exists, and for the suffixes the table names. */
function trustScores(curated: Curated, tlds: readonly string[]): Map<string, number> {
  const { tldTrust } = curated;
  const scores = new Map(tlds.map((tld) => [tld, tld.length === 2 ? tldTrust.countryDefault : tldTrust.default]));
  for (const [suffix, score] of tldTrust.entries) scores.set(suffix, score);
  return scores;
}
