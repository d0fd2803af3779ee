import { characterCount, isStorableText } from '../input/json-value.ts';
import { momentOf } from '../input/span.ts';
import type { ListKind } from '../list-kind.ts';
import type { YieldWhenDue } from '../platform/yielding.ts';
import type { NewEntry } from './custom-list.ts';
import { maxNoteLength, type SentEntry } from './custom-lists-input.ts';
import { entryValueIn, valueProblem } from './entry-value.ts';

/** An entry that was not added. */
export interface EntryProblem {
  readonly index: number;
  readonly value: string;
  readonly error: string;
}

/** Reads entries of a list: the valid ones, the last for each key, and the problems of the others. */
export async function readEntries(
  kind: ListKind,
  sent: readonly SentEntry[],
  nowMs: number,
  yieldWhenDue: YieldWhenDue,
): Promise<{ readonly valid: readonly NewEntry[]; readonly errors: readonly EntryProblem[] }> {
  const valid = new Map<string, NewEntry>();
  const errors: EntryProblem[] = [];
  for (const [index, entry] of sent.entries()) {
    const pause = yieldWhenDue();
    if (pause !== null) await pause;
    const read = readEntry(kind, entry, nowMs);
    if (typeof read === 'string') errors.push({ index, value: asText(entry.value), error: read });
    else valid.set(read.key, read);
  }
  return { valid: [...valid.values()], errors };
}

/** The entry, or the problem with it. */
function readEntry(kind: ListKind, { value, note, expires_at }: SentEntry, nowMs: number): NewEntry | string {
  if (typeof value !== 'string') return 'The value must be a string.';
  const parsed = entryValueIn(kind, value);
  if (parsed === null) return valueProblem(kind);
  if (note !== null && !isNote(note)) return `The note must be a text of at most ${maxNoteLength} characters.`;
  const expiresAtMs = typeof expires_at === 'string' ? momentOf(expires_at) : null;
  if (expires_at !== null && expiresAtMs === null) return 'expires_at must be a time of ISO 8601.';
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return 'expires_at is in the past.';
  return { ...parsed, note: note === '' ? null : note, expiresAtMs };
}

const isNote = (note: unknown): note is string =>
  typeof note === 'string' && isStorableText(note) && characterCount(note) <= maxNoteLength;

const asText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
