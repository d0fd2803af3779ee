import { isPublicSuffix, publicSuffixLength } from '../sources/public-suffix.ts';
import { Flag, inheritedFlags, trustMask, trustShift } from './flags.ts';
import { findEntry, hashSeed, hashStep, type ListTable } from './list-table.ts';

const dot = 46;

/**
 * The flags that hold for a name: its own entry's and those inherited from its parents, never through a public suffix
 * or a boundary of ours, because names under those belong to different people. One pass from the right.
 */
export function walk(table: ListTable, name: string): number {
  let flags = 0;
  let suffixLength = -1;
  let hash = hashSeed;
  for (let i = name.length - 1; i >= 0; i -= 1) {
    const code = name.charCodeAt(i);
    if (code === dot) {
      const entry = findEntry(table, name, i + 1, hash);
      if (entry >= 0) {
        const found = table.flags[entry] as number;
        if ((found & trustMask) !== 0) flags = (flags & ~trustMask) | (found & trustMask);
        if ((found & Flag.boundary) !== 0) {
          flags = (flags & trustMask) | (found & (Flag.free | Flag.split));
        } else if ((found & inheritedFlags) !== 0) {
          if ((found & Flag.split) !== 0 && suffixLength < 0) suffixLength = publicSuffixLength(name);
          if ((found & Flag.split) === 0 || name.length - i - 1 > suffixLength) flags |= inheritance(found);
        }
      }
    }
    hash = hashStep(hash, code);
  }
  return ownFlags(table, name, hash, flags);
}

/** Adds the flags of the name's own entry. A suffix is not one of its own tenants. */
function ownFlags(table: ListTable, name: string, hash: number, flags: number): number {
  const entry = findEntry(table, name, 0, hash);
  const found = entry < 0 ? 0 : (table.flags[entry] as number);
  let all = flags | (found & ~(trustMask | Flag.free));
  if ((found & trustMask) !== 0) all = (all & ~trustMask) | (found & trustMask);
  if ((all & Flag.free) === 0) return all;
  const isSuffix = (found & Flag.boundary) !== 0 || ((flags & Flag.split) !== 0 && isPublicSuffix(name));
  return isSuffix ? all & ~Flag.free : all;
}

function inheritance(found: number): number {
  return (found & inheritedFlags) | ((found & Flag.relaySubdomains) !== 0 ? Flag.relay : 0);
}

/** Calls `visit` with each entry of a name and of those above it, the shortest first, and with where it begins in the name. */
function visitEntries(table: ListTable, name: string, visit: (entry: number, start: number) => void): void {
  let hash = hashSeed;
  for (let i = name.length - 1; i >= -1; i -= 1) {
    const code = i < 0 ? dot : name.charCodeAt(i);
    const entry = code === dot ? findEntry(table, name, i + 1, hash) : -1;
    if (entry >= 0) visit(entry, i + 1);
    hash = hashStep(hash, code);
  }
}

/**
 * The entries behind `walk`, nearest first: the name's own, then its parents' below the public suffix, up to and
 * including the first boundary. For explanations; `walk` is the fast form.
 */
export function entriesFor(table: ListTable, name: string): number[] {
  const suffixLength = publicSuffixLength(name);
  let found: number[] = [];
  visitEntries(table, name, (entry, start) => {
    if (((table.flags[entry] as number) & Flag.boundary) !== 0) found = [entry];
    else if (name.length - start > suffixLength) found.unshift(entry);
  });
  return found;
}

/** Whether the name or one above it has an entry of one of these sources; of any source if the bits are 0. */
export function isNamed(table: ListTable, name: string, sourceBits: number): boolean {
  let isFound = false;
  visitEntries(table, name, (entry) => {
    isFound ||= sourceBits === 0 || ((table.sources[entry] as number) & sourceBits) !== 0;
  });
  return isFound;
}

/** The longest suffix of a name that has a trust score, and the score. For explanations; `walk` is the fast form. */
export function ratedSuffix(table: ListTable, name: string): { suffix: string; trust: number } | null {
  let rated: { suffix: string; trust: number } | null = null;
  visitEntries(table, name, (entry, start) => {
    const trust = ((table.flags[entry] as number) & trustMask) >>> trustShift;
    if (trust !== 0) rated = { suffix: name.slice(start), trust };
  });
  return rated;
}
