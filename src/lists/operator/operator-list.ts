import { listName } from '../sources/list-name.ts';
import { isPublicSuffix } from '../sources/public-suffix.ts';

/** The operator's own lists; `addresses` holds SHA-256 of normalised addresses, the others domains. */
export const operatorLists = ['disposable', 'public', 'relay', 'spam', 'allow', 'addresses'] as const;

export type OperatorList = (typeof operatorLists)[number];

export interface OperatorEntry {
  readonly list: OperatorList;
  /** A domain in lower-case ASCII, or a hash in lower case. */
  readonly entry: string;
}

/** A value that cannot be on a list, and why. */
export interface EntryProblem {
  readonly text: string;
  readonly reason: string;
}

/** Values as a list holds them, each once, and those that it cannot hold. */
export interface ReadValues {
  readonly entries: readonly string[];
  readonly problems: readonly EntryProblem[];
}

/** Reads values as a user typed them. */
export function readValues(list: OperatorList, values: readonly string[]): ReadValues {
  const entries = new Set<string>();
  const problems: EntryProblem[] = [];
  for (const text of values) {
    const parsed = list === 'addresses' ? parseHash(text.trim()) : parseName(text.trim());
    if ('entry' in parsed) entries.add(parsed.entry);
    else problems.push({ text, reason: parsed.reason });
  }
  return { entries: [...entries], problems };
}

type ParsedEntry = { readonly entry: string } | { readonly reason: string };

function parseHash(text: string): ParsedEntry {
  const hash = text.toLowerCase();
  return /^[0-9a-f]{64}$/.test(hash) ? { entry: hash } : { reason: 'not a SHA-256 in hexadecimal' };
}

function parseName(text: string): ParsedEntry {
  const name = listName(text);
  if (name === null) return { reason: 'not a domain name' };
  return isPublicSuffix(name) ? { reason: 'a public suffix: strangers register under it' } : { entry: name };
}
