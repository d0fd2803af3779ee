import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import { withFileLock } from '../../files/file-lock.ts';
import { listName } from '../sources/list-name.ts';
import { isPublicSuffix } from '../sources/public-suffix.ts';

/** The operator's own lists; `addresses` holds SHA-256 of normalised addresses, the others domains. */
export const operatorLists = ['disposable', 'public', 'relay', 'spam', 'allow', 'addresses'] as const;

export type OperatorList = (typeof operatorLists)[number];

/** A line or value that was left out, and why. The other lines of its file count. */
export interface EntryProblem {
  readonly list: OperatorList;
  /** 1-based; 0 for a value that did not come from a file. */
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

/** The entries of one of the operator's files. */
export interface OperatorFile {
  readonly entries: ReadonlySet<string>;
  readonly problems: readonly EntryProblem[];
}

/** What came of adding or removing entries. */
export interface EntryChange {
  readonly changed: readonly string[];
  /** Already there when adding, not there when removing. */
  readonly unchanged: readonly string[];
  readonly problems: readonly EntryProblem[];
}

/** The file of one list: one entry per line, `#` starts a comment. */
export function operatorPath(folder: string, list: OperatorList): string {
  return join(folder, `${list}.txt`);
}

type ParsedEntry = { readonly entry: string } | { readonly reason: string };

function parseEntry(list: OperatorList, text: string): ParsedEntry {
  if (list === 'addresses') {
    const hash = text.toLowerCase();
    return /^[0-9a-f]{64}$/.test(hash) ? { entry: hash } : { reason: 'not a SHA-256 in hexadecimal' };
  }
  const name = listName(text);
  if (name === null) return { reason: 'not a domain name' };
  return isPublicSuffix(name) ? { reason: 'a public suffix: strangers register under it' } : { entry: name };
}

function entryText(line: string): string {
  return line.replace(/#.*$/, '').trim();
}

function linesOf(folder: string, list: OperatorList): string[] {
  const path = operatorPath(folder, list);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Reads one list; a missing file is an empty list. */
export function readOperatorFile(folder: string, list: OperatorList): OperatorFile {
  const entries = new Set<string>();
  const problems: EntryProblem[] = [];
  linesOf(folder, list).forEach((line, index) => {
    const text = entryText(line);
    if (text === '') return;
    const parsed = parseEntry(list, text);
    if ('entry' in parsed) entries.add(parsed.entry);
    else problems.push({ list, line: index + 1, text, reason: parsed.reason });
  });
  return { entries, problems };
}

/** What is wrong with values before they go anywhere. */
export function entryProblems(list: OperatorList, values: readonly string[]): EntryProblem[] {
  return values.flatMap((text) => {
    const parsed = parseEntry(list, text.trim());
    return 'entry' in parsed ? [] : [{ list, line: 0, text, reason: parsed.reason }];
  });
}

/** Adds entries to a list and keeps what is in the file, comments included. On disk when it returns. */
export async function addOperatorEntries(
  folder: string,
  list: OperatorList,
  values: readonly string[],
): Promise<EntryChange> {
  return await changeFile(folder, list, values, (lines, wanted, present) => {
    const added = wanted.difference(present);
    return { changed: added, lines: [...lines, ...added] };
  });
}

/** Removes entries from a list. On disk when it returns. */
export async function removeOperatorEntries(
  folder: string,
  list: OperatorList,
  values: readonly string[],
): Promise<EntryChange> {
  return await changeFile(folder, list, values, (lines, wanted, present) => {
    const removed = wanted.intersection(present);
    const kept = lines.filter((line) => {
      const parsed = parseEntry(list, entryText(line));
      return !('entry' in parsed) || !removed.has(parsed.entry);
    });
    return { changed: removed, lines: kept };
  });
}

type LineChange = (
  lines: readonly string[],
  wanted: ReadonlySet<string>,
  present: ReadonlySet<string>,
) => { readonly changed: ReadonlySet<string>; readonly lines: readonly string[] };

async function changeFile(
  folder: string,
  list: OperatorList,
  values: readonly string[],
  change: LineChange,
): Promise<EntryChange> {
  const wanted = new Set<string>();
  const problems: EntryProblem[] = [];
  for (const value of values) {
    const parsed = parseEntry(list, value.trim());
    if ('entry' in parsed) wanted.add(parsed.entry);
    else problems.push({ list, line: 0, text: value, reason: parsed.reason });
  }
  const path = operatorPath(folder, list);
  return await withFileLock(path, () => {
    const present = readOperatorFile(folder, list).entries;
    const { changed, lines } = change(linesOf(folder, list), wanted, present);
    if (changed.size > 0) writeFileAtomic(path, lines.map((line) => `${line}\n`).join(''));
    return { changed: [...changed], unchanged: [...wanted.difference(changed)], problems };
  });
}
