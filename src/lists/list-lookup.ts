import type { Suggest } from '../address/suggest.ts';
import type { ListSource, RankSource } from '../signals/sources.ts';
import { explain } from './explain.ts';
import type { ListState } from './list-state.ts';
import { namedBy } from './named-by.ts';
import { isRoleName } from './role-name.ts';
import { domainLists, Flag, trustIn, Verdict } from './snapshot/flags.ts';
import type { Snapshot } from './snapshot/snapshot-file.ts';
import { verdict } from './snapshot/verdict.ts';
import { entriesFor, walk } from './snapshot/walk.ts';
import { registrableOf } from './sources/public-suffix.ts';

/** The queries that signals make, with the one behind most of the others. */
export interface ListLookup extends ListSource {
  readonly revision: ListState;
  /** All verdicts about a name, as bits of `Verdict`. */
  lookup(name: string): number;
}

/** Ranks up to this one are popular: further down, rankings hold misspelt and throwaway names too. */
const popularRank = 100_000;

/** Reads `state` at each call, so that a running server uses a new snapshot immediately. */
export function listLookup(
  state: () => ListState,
  suggest: Suggest,
  rankOf: RankSource['rank'] = () => null,
): ListLookup {
  const isPopular = (registrable: string): boolean => (rankOf(registrable) ?? Number.POSITIVE_INFINITY) <= popularRank;
  let lastName: string | null = null;
  let lastState: ListState | null = null;
  let lastBits = 0;
  // A lookup makes six queries about one name in a row; only the first walks the table.
  const lookup = (name: string): number => {
    const current = state();
    if (name === lastName && current === lastState) return lastBits;
    const { operator } = current;
    const operatorFlags = operator.table.flags.length === 0 ? 0 : walk(operator.table, name);
    lastBits = verdict(withPopularity(walk(current.snapshot.table, name), name, isPopular), operatorFlags);
    lastName = name;
    lastState = current;
    return lastBits;
  };
  return {
    get builtAt() {
      return state().snapshot.header.builtAt;
    },
    get revision() {
      return state();
    },
    lookup,
    isListed: (list, name) => (lookup(name) & domainLists[list].verdict) !== 0,
    isTrusted: (name) => (lookup(name) & Verdict.trusted) !== 0 || isPopular(registrableOf(name)),
    isAllowed: (name) => (lookup(name) & Verdict.allowed) !== 0,
    tldTrust: (name) => trustIn(lookup(name)),
    disposableProvider: (name) => ((lookup(name) & Verdict.disposable) === 0 ? null : provider(state().snapshot, name)),
    isDisposableAddress: (sha256) => state().operator.addresses.has(sha256),
    get hasDisposableAddresses() {
      return state().operator.addresses.size > 0;
    },
    isRole: (localPart) => isRoleName(state().roles, localPart),
    suggest: (name, receivesMail = false) => {
      if ((lookup(name) & Verdict.known) !== 0) return null;
      const meant = suggest(name);
      if (meant === null || isPopular(name)) return null;
      return receivesMail || rankOf(name) !== null ? suggest(name, true) : meant;
    },
    explain: (list, name) => explain(state(), list, name),
    namedBy: (name) => namedBy(state(), name),
  };
}

/** A popular name is not disposable unless a strong source lists it. Few names get as far as the ranking. */
function withPopularity(flags: number, name: string, isPopular: (registrable: string) => boolean): number {
  if ((flags & (Flag.weak | Flag.strong)) !== Flag.weak) return flags;
  return isPopular(registrableOf(name)) ? flags | Flag.trusted : flags;
}

/** The service behind the nearest entry that has one. */
function provider({ table, header }: Snapshot, name: string): string | null {
  for (const entry of entriesFor(table, name)) {
    const found = header.providers[(table.providers[entry] as number) - 1];
    if (found !== undefined) return found;
  }
  return null;
}
