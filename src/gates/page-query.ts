import { schema } from '../http/schema.ts';
import type { QueryValues } from './query-value.ts';

/** Which part of a list is wanted. */
export interface PageQuery {
  readonly limit: number;
  /** The last item of the page before. */
  readonly beforeId: string | null;
}

const maxLimit = 100;
const defaultLimit = 25;

/** The query parameters of every list. */
export const pageQuerySchema = {
  limit: schema.optional(schema.integer({ minimum: 1, maximum: maxLimit, default: defaultLimit })),
  cursor: schema.optional(schema.string({ description: 'meta.next_cursor of the page before' })),
};

/** Reads `limit` and `cursor`; a cursor is good for the kind of list it came from. */
export function readPage(values: QueryValues, kind: string): PageQuery {
  const { text, problems } = values;
  const limit = text('limit') ?? String(defaultLimit);
  const count = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > maxLimit) problems.add('limit', `The limit must be an integer from 1 to ${maxLimit}.`);
  const cursor = text('cursor');
  const beforeId = cursor === undefined ? null : idIn(cursor, kind);
  if (beforeId === undefined) problems.add('cursor', 'The cursor is not one this list has given.');
  return { limit: count, beforeId: beforeId ?? null };
}

/** A page of what was read with one item more than its limit, which tells whether there is a next page. */
export function pageBody<T extends { readonly id: string }>(kind: string, read: readonly T[], limit: number) {
  const data = read.slice(0, limit);
  const last = data.at(-1);
  return {
    data,
    meta: { next_cursor: read.length > limit && last !== undefined ? cursorOf(kind, last.id) : null },
  };
}

function cursorOf(kind: string, id: string): string {
  return Buffer.from(`${kind}:${id}`).toString('base64url');
}

function idIn(cursor: string, kind: string): string | undefined {
  const [prefix, id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(':');
  return prefix === kind && /^[0-9a-z]{26}$/i.test(id) && cursorOf(kind, id) === cursor ? id : undefined;
}
