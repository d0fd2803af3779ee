import type { SourceList } from './read-packages.ts';
import { packageSources } from './source-catalogue.ts';

/** An edition of a list before it is used. */
export interface Candidate {
  readonly name: string;
  /** The downloaded text, when it is a download. */
  readonly text?: string;
  readonly names: readonly string[];
  readonly rejected: number;
  /** How many names the last good edition had. */
  readonly previousCount: number;
  /** Names that no source may flag as disposable. */
  readonly neverFlag: ReadonlySet<string>;
}

/**
 * Why an edition of a source must not be used, or null when it may. A download can be cut, replaced by an error page or
 * poisoned; the last good edition is better than any of these.
 */
export function checkSource(candidate: Candidate): string | null {
  const { name, names, rejected, previousCount } = candidate;
  if (candidate.text !== undefined && isErrorPage(candidate.text)) return 'it is a web page, not a list';
  if (names.length === 0) return 'it is empty';
  if (rejected > names.length)
    return `most of its lines are not domain names (${rejected} of ${rejected + names.length})`;
  if (names.length * 2 < previousCount) return `it shrank from ${previousCount} names to ${names.length}`;
  const source = packageSources.find((each) => each.name === name);
  if (source !== undefined && names.length > source.atMost) {
    return `it has ${names.length} names, more than ${source.atMost}`;
  }
  if (source === undefined || source.kind !== 'strong') return null;
  const poisoned = names.find((each) => candidate.neverFlag.has(each));
  return poisoned === undefined ? null : `it lists ${poisoned}, which is never disposable`;
}

/** Whether a text begins like a web page: networks with a sign-in page and moved files answer with one. */
export function isErrorPage(text: string): boolean {
  return /^\s*(?:<!doctype|<html|<\?xml|<head|<body)/i.test(text);
}

/** Problems with the counts of the installed packages: a layout change shows up here, not in wrong answers. */
export function checkPackageCounts(lists: readonly SourceList[]): string[] {
  return lists.flatMap((list) => {
    const source = packageSources.find((each) => each.name === list.name);
    if (source === undefined) return [`${list.name} is not a known source`];
    const count = list.names.length;
    if (count >= source.atLeast && count <= source.atMost) return [];
    return [`${list.name} has ${count} names, expected ${source.atLeast} to ${source.atMost}`];
  });
}
