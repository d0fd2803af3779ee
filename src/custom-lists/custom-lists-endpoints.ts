import { actorKinds, type NameActors, type NamedActors } from '../actor.ts';
import { AppError } from '../errors.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { dataOf, pageBy, pageOf } from '../http/page.ts';
import { wireTime } from '../http/wire-time.ts';
import { schema } from '../input/schema.ts';
import { listKinds } from '../list-kind.ts';
import type { CustomList, ListEntry, ListUse } from './custom-list.ts';
import type { CustomLists } from './custom-lists.ts';
import { entriesInput, entriesQuery, listChangeInput, newListInput, valuesInput } from './custom-lists-input.ts';

const shared = { family: 'gates', plan: 'pro', credits: 0 } as const;

/** Everything under `/v1/lists`. */
export function customListsEndpoints(lists: CustomLists, nameActors: NameActors, now: () => number): Endpoint[] {
  return [...collectionEndpoints(lists), ...singleEndpoints(lists), ...entryEndpoints(lists, nameActors, now)];
}

function collectionEndpoints(lists: CustomLists): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/v1/lists',
      operationId: 'listCustomLists',
      tool: { name: 'list_custom_lists', access: 'read', guide: 'Conditions with in_list take the id of a list.' },
      summary: 'The custom lists of the environment, newest first',
      response: dataOf(schema.array(listSchema)),
      errors: [],
      handle: async (_sent, { caller }) => ({ data: (await lists.list(caller)).map(listBody) }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/v1/lists',
      operationId: 'createCustomList',
      tool: { name: 'create_custom_list', access: 'write', guide: 'Then add entries with add_to_custom_list.' },
      summary: 'Create a custom list',
      status: 201,
      body: newListInput,
      response: dataOf(listSchema),
      errors: ['validation_failed', 'list_name_taken', 'list_limit_reached', 'unsupported_media_type'],
      handle: async ({ body }, { author }) => ({ data: listBody(await lists.create(author, body)) }),
    }),
  ];
}

function singleEndpoints(lists: CustomLists): Endpoint[] {
  const single = { ...shared, path: '/v1/lists/{list_id}' } as const;
  return [
    endpoint({
      ...single,
      method: 'GET',
      operationId: 'readCustomList',
      tool: { name: 'read_custom_list', access: 'read' },
      summary: 'A custom list and the rules that use it',
      response: dataOf(readListSchema),
      errors: ['list_not_found'],
      async handle({ params }, { caller }) {
        const list = await lists.read(caller, params.list_id);
        return { data: { ...listBody(list), rules: (await lists.uses(caller, list.id)).map(useBody) } };
      },
    }),
    endpoint({
      ...single,
      method: 'PATCH',
      operationId: 'changeCustomList',
      tool: { name: 'change_custom_list', access: 'write' },
      summary: 'Change the name or the description of a custom list',
      body: listChangeInput,
      response: dataOf(listSchema),
      errors: ['validation_failed', 'list_not_found', 'list_name_taken', 'unsupported_media_type'],
      async handle({ params, body: { kind, ...change } }, { author }) {
        const list = await lists.read(author, params.list_id);
        if (kind !== undefined && kind !== list.kind)
          throw new AppError('validation_failed', { errors: { kind: ['The kind of a list cannot be changed.'] } });
        return { data: listBody(await lists.change(author, list.id, change)) };
      },
    }),
    endpoint({
      ...single,
      method: 'DELETE',
      operationId: 'removeCustomList',
      tool: {
        name: 'remove_custom_list',
        access: 'write',
        guide: 'Its entries cannot be restored: ask the user first.',
      },
      summary: 'Remove a custom list that no rule uses, with its entries',
      description: 'While rules use the list, the response is 409 `list_in_use` and names them in `rules`.',
      status: 204,
      errors: ['list_not_found', 'list_in_use'],
      handle: ({ params }, { author }) => lists.remove(author, params.list_id),
    }),
  ];
}

function entryEndpoints(lists: CustomLists, nameActors: NameActors, now: () => number): Endpoint[] {
  const entries = { ...shared, path: '/v1/lists/{list_id}/entries' } as const;
  return [
    endpoint({
      ...entries,
      method: 'GET',
      operationId: 'listCustomListEntries',
      tool: { name: 'list_custom_list_entries', access: 'read' },
      summary: 'The entries of a custom list, newest first',
      description: 'Expired entries are shown for 30 days, with `expired`.',
      query: entriesQuery,
      response: pageOf(entrySchema),
      errors: ['validation_failed', 'list_not_found'],
      async handle({ params, query: { limit, cursor, q = '' } }, { caller }) {
        const beforeNo = cursor === undefined ? null : Number(cursor);
        const page = { beforeNo, limit: limit + 1, text: q === '' ? null : q };
        const found = await lists.entries(caller, params.list_id, page);
        const { data, meta } = pageBy('list-entries', found, limit, ({ no }) => String(no).padStart(26, '0'));
        // Keys and users have names that only people of the account may read.
        const names = caller.userId === undefined ? null : await nameActors(data.map(({ createdBy }) => createdBy));
        return { data: data.map((entry) => entryBody(entry, names, now())), meta };
      },
    }),
    endpoint({
      ...entries,
      method: 'POST',
      operationId: 'addToCustomList',
      tool: { name: 'add_to_custom_list', access: 'write', guide: 'Rules that use the list apply it immediately.' },
      summary: 'Add up to 1,000 entries, or change them',
      description:
        'All valid entries are written in one transaction; `errors` lists the others. A listed value gets the note and the expiry of the request.',
      body: entriesInput,
      response: dataOf(addedSchema),
      errors: ['validation_failed', 'list_not_found', 'list_full', 'unsupported_media_type'],
      handle: async ({ params, body }, { author }) => ({
        data: await lists.addEntries(author, params.list_id, body),
      }),
    }),
    endpoint({
      ...entries,
      method: 'DELETE',
      operationId: 'removeFromCustomList',
      tool: { name: 'remove_from_custom_list', access: 'write' },
      summary: 'Remove up to 1,000 entries by their values',
      description: 'Values that are not listed are ignored.',
      body: valuesInput,
      response: dataOf(schema.object({ removed: schema.integer() })),
      errors: ['validation_failed', 'list_not_found', 'unsupported_media_type'],
      handle: async ({ params, body }, { author }) => ({
        data: { removed: await lists.removeEntries(author, params.list_id, body) },
      }),
    }),
  ];
}

function listBody({ id, name, kind, description, entriesCount, createdAtMs, updatedAtMs }: CustomList) {
  const times = { created_at: wireTime(createdAtMs), updated_at: wireTime(updatedAtMs) };
  return { id, name, kind, description, entries_count: entriesCount, ...times };
}

const useBody = ({ gateId, id, name }: ListUse) => ({ gate_id: gateId, id, name });

function entryBody(entry: ListEntry, names: NamedActors | null, nowMs: number) {
  const { value, note, expiresAtMs, createdAtMs, createdBy } = entry;
  return {
    value,
    note,
    expires_at: expiresAtMs === null ? null : wireTime(expiresAtMs),
    ...(expiresAtMs !== null && expiresAtMs <= nowMs && { expired: true }),
    created_at: wireTime(createdAtMs),
    ...(names !== null && { created_by: { ...createdBy, name: names(createdBy) } }),
  };
}

const listFields = {
  id: schema.string(),
  name: schema.string(),
  kind: schema.oneOf(listKinds),
  description: schema.nullable(schema.string()),
  entries_count: schema.integer({ description: 'Without expired entries' }),
  created_at: schema.string(),
  updated_at: schema.string(),
};
const listSchema = schema.object(listFields);
const readListSchema = schema.object({
  ...listFields,
  rules: schema.array(schema.object({ gate_id: schema.string(), id: schema.string(), name: schema.string() }), {
    description: 'The rules that use the list, disabled and shadow rules included',
  }),
});

const entrySchema = schema.object({
  value: schema.string({ description: 'Normalised' }),
  note: schema.nullable(schema.string()),
  expires_at: schema.nullable(schema.string()),
  expired: schema.optional(schema.boolean({ description: 'Only for an expired entry, which matches nothing' })),
  created_at: schema.string(),
  created_by: schema.optional(
    schema.object(
      { kind: schema.oneOf(actorKinds), id: schema.string(), name: schema.nullable(schema.string()) },
      { description: 'Only in the console' },
    ),
  ),
});

const addedSchema = schema.object({
  added: schema.integer(),
  updated: schema.integer({ description: 'Values that were listed already' }),
  errors: schema.array(schema.object({ index: schema.integer(), value: schema.string(), error: schema.string() })),
});
