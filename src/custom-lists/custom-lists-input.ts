import { pageParameters } from '../http/page.ts';
import { anything, described, type Input, into, nullable, refused } from '../input/input.ts';
import { characterCount } from '../input/json-value.ts';
import { items, list } from '../input/list.ts';
import { defaulted, object, optional } from '../input/object.ts';
import { once, query } from '../input/parameter.ts';
import { choice, text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';
import { momentOf } from '../input/span.ts';
import { characters, maxCharacters, notBlank, storable } from '../input/text-limits.ts';
import { type ListKind, listKinds } from '../list-kind.ts';
import { listLimits, type NewCustomList } from './custom-list.ts';
import type { ListChange } from './custom-lists-store.ts';
import { maxTextLength } from './entry-value.ts';

const maxNameLength = 120;
const maxDescriptionLength = 500;

const nameInput = text('The name', [characters(1, maxNameLength), notBlank, storable]);
const descriptionInput = nullable(
  text('The description', [maxCharacters(maxDescriptionLength), storable], 'a string or null'),
);
const kindInput = described(choice('The kind', listKinds), {
  description: 'What the entries are. It decides which fields a rule can compare with the list',
});

/** The fields that the author of a list sets. */
export const listFields = { name: nameInput, kind: kindInput, description: defaulted(descriptionInput, null) };

/** Fields of a list that are shown and not set; sent back as they were read, they are ignored. */
const readOnly = ['id', 'entries_count', 'rules', 'created_at', 'updated_at'];

export const newListInput: Input<NewCustomList> = object(listFields, { readOnly });

/** A change of a list; its kind may be sent as it was read. */
export type SentListChange = ListChange & { readonly kind?: ListKind };

export const listChangeInput: Input<SentListChange> = object(
  { name: optional(nameInput), description: optional(descriptionInput), kind: optional(kindInput) },
  { readOnly },
);

/** An entry as it was sent; each invalid one gets its own error in the response. */
export interface SentEntry {
  readonly value: unknown;
  readonly note: unknown;
  readonly expires_at: unknown;
}

const notTooMany = (label: string) =>
  items(0, listLimits.entriesPerRequest, `${label} must not have more than ${listLimits.entriesPerRequest} items.`);

/** The longest note, in characters. */
export const maxNoteLength = 500;

const noteInput: Input<unknown> = {
  schema: anything.schema,
  read(value, path, problems) {
    if (typeof value !== 'string' || characterCount(value) <= maxNoteLength) return value;
    problems.add(path, `The note must not have more than ${maxNoteLength} characters.`);
    return refused;
  },
};

/** A date that does not exist or lies beyond the limits is rejected; any other text is an error of its entry. */
const expiryInput: Input<unknown> = {
  schema: anything.schema,
  read(value, path, problems) {
    const isDate = typeof value === 'string' && /^[-+]?\d{4,}-\d\d-\d\d/.test(value);
    if (!isDate || momentOf(value) !== null) return value;
    problems.add(path, 'expires_at must be a time of ISO 8601 until the year 9999, with an offset of at most 14:00.');
    return refused;
  },
};

/** An entry; a value that is not of the list's kind is reported with the entry. */
export const entryInput: Input<SentEntry> = {
  ...into(
    object(
      { value: anything, note: optional(noteInput), expires_at: optional(expiryInput) },
      {
        notAnObject: 'An entry must be an object with value, note and expires_at.',
        readOnly: ['created_at', 'expired'],
      },
    ),
    ({ value, note, expires_at }) => ({ value, note: note ?? null, expires_at: expires_at ?? null }),
  ),
  schema: schema.object(
    {
      value: schema.string({ maxLength: maxTextLength }),
      note: schema.optional(schema.nullable(schema.string({ maxLength: maxNoteLength }))),
      expires_at: schema.optional(
        schema.nullable(schema.string({ description: 'ISO 8601, in the future, until the year 9999' })),
      ),
    },
    { additionalProperties: false },
  ),
};

/** The body that adds entries. */
export const entriesInput: Input<readonly SentEntry[]> = into(
  object({ entries: list('The entries', entryInput, { limits: [notTooMany('The entries')] }) }),
  ({ entries }) => entries,
);

/** The body that removes entries. */
export const valuesInput: Input<readonly string[]> = into(
  object({ values: list('The values', text('Each value'), { limits: [notTooMany('The values')] }) }),
  ({ values }) => values,
);

export const entriesQuery = query({
  ...pageParameters('list-entries'),
  q: optional(
    described(once(text('The q parameter', [maxCharacters(maxTextLength), storable])), {
      description: 'A text that the value or the note contains, ignoring case',
    }),
  ),
});
