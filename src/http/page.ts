import { type Input, refused } from '../input/input.ts';
import { defaulted, optional } from '../input/object.ts';
import { once } from '../input/parameter.ts';
import { integer } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';

/** The query parameters of a list; a cursor is valid for the kind of list that returned it. */
export function pageParameters(kind: string) {
  return {
    limit: defaulted(limitInput, 25),
    cursor: optional(cursorInput(kind)),
  };
}

const limitInput = once(integer('The limit', { minimum: 1, maximum: 100 }), (text) =>
  /^\d{1,3}$/.test(text) ? Number(text) : text,
);

/** A cursor, decoded into the id of the last item of the previous page. */
function cursorInput(kind: string): Input<string> {
  return once({
    schema: schema.string({ description: 'meta.next_cursor of the previous page' }),
    read(text, path, problems) {
      const id = idIn(String(text), kind);
      if (id !== null) return id;
      problems.add(path, 'The cursor is not one this list has given.');
      return refused;
    },
  });
}

/** A page of a list, with the cursor of the next one. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly meta: { readonly next_cursor: string | null };
}

/** A page of items that were read with one more than the limit, which shows whether there is a next page. */
export function pageBody<T extends { readonly id: string }>(kind: string, read: readonly T[], limit: number): Page<T> {
  return pageBy(kind, read, limit, ({ id }) => id);
}

/** A page of items without an id of their own; `idOf` derives one. */
export function pageBy<T>(kind: string, read: readonly T[], limit: number, idOf: (item: T) => string): Page<T> {
  const data = read.slice(0, limit);
  const last = data.at(-1);
  return {
    data,
    meta: { next_cursor: read.length > limit && last !== undefined ? cursorOf(kind, idOf(last)) : null },
  };
}

function cursorOf(kind: string, id: string): string {
  return Buffer.from(`${kind}:${id}`).toString('base64url');
}

function idIn(cursor: string, kind: string): string | null {
  const [prefix, id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(':');
  return prefix === kind && /^[0-9a-z]{26}$/i.test(id) && cursorOf(kind, id) === cursor ? id : null;
}
