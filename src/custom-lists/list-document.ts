import { AppError } from '../errors.ts';
import { wireTime } from '../http/wire-time.ts';
import { accept } from '../input/accept.ts';
import { anything } from '../input/input.ts';
import { items, list } from '../input/list.ts';
import { object, optional } from '../input/object.ts';
import { createYielder } from '../platform/yielding.ts';
import { type CustomList, type ListEntry, listLimits, type NewCustomList, type NewEntry } from './custom-list.ts';
import { entryInput, listFields } from './custom-lists-input.ts';
import { readEntries } from './entries-input.ts';

export interface MovedList extends NewCustomList {
  /** The id it had where it came from. */
  readonly had: unknown;
  readonly entries: readonly NewEntry[];
}

/** A list with its entries, as it moves between environments, accounts and machines. */
export function listDocument({ id, name, kind, description }: CustomList, entries: readonly ListEntry[]): object {
  return { id, name, kind, description, entries: entries.map(entryDocument) };
}

function entryDocument({ value, note, expiresAtMs }: ListEntry): object {
  return { value, note, expires_at: expiresAtMs === null ? null : wireTime(expiresAtMs) };
}

const documentInput = object({
  lists: list(
    'The lists',
    object({
      ...listFields,
      id: optional(anything),
      entries: list('The entries', entryInput, {
        limits: [items(0, listLimits.entries, `A list has at most ${listLimits.entries} entries.`)],
      }),
    }),
    { limits: [items(0, listLimits.lists, `A document has at most ${listLimits.lists} lists.`)] },
  ),
});

/** Reads the lists of a document, without expired entries; throws `validation_failed` with what is wrong. */
export async function readListDocument(lists: unknown, nowMs: number): Promise<MovedList[]> {
  const moved: MovedList[] = [];
  for (const [index, { id, entries: sent, ...texts }] of accept(documentInput, { lists }).lists.entries()) {
    const yieldWhenDue = createYielder();
    // An entry may expire between export and import.
    const { valid, errors } = await readEntries(texts.kind, sent, 0, yieldWhenDue);
    const [first] = errors;
    if (first !== undefined)
      throw new AppError('validation_failed', { errors: { [`lists.${index}.entries.${first.index}`]: [first.error] } });
    moved.push({ ...texts, had: id, entries: valid.filter(({ expiresAtMs }) => (expiresAtMs ?? nowMs + 1) > nowMs) });
  }
  return moved;
}
