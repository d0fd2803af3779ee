import { existsSync } from 'node:fs';
import { checkSource } from './check-source.ts';
import { readOverride, type SourceList } from './read-packages.ts';
import { packageSources } from './source-catalogue.ts';

/** A downloaded edition replaces the package's when it is fit for use and not older. */
export function editionInUse(
  ofPackage: SourceList,
  path: string,
  neverFlag: ReadonlySet<string>,
): { list: SourceList; refused: string | null } {
  const source = packageSources.find((each) => each.name === ofPackage.name);
  if (source === undefined || !existsSync(path)) return { list: ofPackage, refused: null };
  const { text, list: downloaded } = readOverride(source, path);
  const list = source.isRolling
    ? { ...downloaded, names: withOlderNames(downloaded.names, ofPackage.names) }
    : downloaded;
  const previousCount = ofPackage.names.length;
  const reason = checkSource({ ...list, text, previousCount, neverFlag }) ?? whyOlder(list, ofPackage);
  return reason === null ? { list, refused: null } : { list: ofPackage, refused: `${path}: ${reason}` };
}

/** Beyond this many, the names that a rolling list had first are dropped. */
const maxRolling = 40_000;

/** The names of a rolling list's edition, then those of the editions before. */
export function withOlderNames(names: readonly string[], older: readonly string[]): string[] {
  return [...new Set([...names, ...older])].slice(0, maxRolling);
}

/** An edition, and how sure its date is: `isExact` when the file itself says it. */
export interface ComparedEdition {
  readonly names: readonly string[];
  /** ISO 8601; null when it is unknown. */
  readonly date: string | null;
  readonly isExact?: boolean;
}

/** Without a date, an edition that lost more than this share of the names counts as an older one. */
const maxLostShare = 0.01;

/**
 * Why an edition seems older than the one in use; null when it does not. A package is published some days after its names
 * were gathered, and many servers give no date, so the names decide besides: an older edition lacks more than it adds.
 */
export function whyOlder(candidate: ComparedEdition, inUse: ComparedEdition): string | null {
  const isEarlier = candidate.date !== null && inUse.date !== null && candidate.date < inUse.date;
  const dates = `its edition of ${candidate.date?.slice(0, 10)} is older than the one in use, of ${inUse.date?.slice(0, 10)}`;
  if (isEarlier && candidate.isExact === true) return dates;
  const names = new Set(candidate.names);
  const lost = inUse.names.filter((name) => !names.has(name)).length;
  const added = names.size - (inUse.names.length - lost);
  if (lost <= added) return null;
  if (isEarlier) return `${dates}; it lacks ${lost} of its names and adds ${added}`;
  if (candidate.date !== null || lost <= inUse.names.length * maxLostShare) return null;
  return `it has no date, lacks ${lost} of the ${inUse.names.length} names in use and adds ${added}: it seems to be older`;
}
