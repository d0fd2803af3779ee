import { actorKinds, type NameActors, type NamedActors } from '../actor.ts';
import { AppError } from '../errors.ts';
import type { WireFields } from '../http/answers/wire-fields.ts';
import {
  dataOf,
  field,
  listOf,
  nested,
  optional,
  pageOf,
  same,
  time,
  timeOrNull,
  wireOf,
} from '../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { pageBy } from '../http/page.ts';
import { schema } from '../input/schema.ts';
import { listKinds } from '../list-kind.ts';
import type { CustomList, ListEntry, ListUse } from './custom-list.ts';
import type { CustomLists, EntriesPreview, EntriesResult } from './custom-lists.ts';
import { entriesInput, entriesQuery, listChangeInput, newListInput, valuesInput } from './custom-lists-input.ts';

const shared = { family: 'gates', plan: 'pro', credits: 0 } as const;

const listFields: WireFields<CustomList> = {
  ...same<CustomList>({
    id: schema.string(),
    name: schema.string(),
    kind: schema.oneOf(listKinds),
    description: schema.nullable(schema.string()),
  }),
  entries_count: field(schema.integer({ description: 'Without expired entries' }), ({ entriesCount }) => entriesCount),
  created_at: time(({ createdAtMs }) => createdAtMs),
  updated_at: time(({ updatedAtMs }) => updatedAtMs),
};

const listBody = wireOf(listFields);

/** A list with the rules that use it. */
interface UsedList extends CustomList {
  readonly uses: readonly ListUse[];
}

const useBody = wireOf<ListUse>({
  gate_id: field(schema.string(), ({ gateId }) => gateId),
  ...same<ListUse>({ id: schema.string(), name: schema.string() }),
});

const usedListBody = wireOf<UsedList>({
  ...listFields,
  rules: nested(listOf(useBody), ({ uses }) => uses, {
    description: 'The rules that use the list, disabled and shadow rules included',
  }),
});

/** An entry at the time of a request, with the names of authors where the caller may read them. */
interface ShownEntry extends ListEntry {
  readonly names: NamedActors | null;
  readonly nowMs: number;
}

const actorSchema = schema.object(
  { kind: schema.oneOf(actorKinds), id: schema.string(), name: schema.nullable(schema.string()) },
  { description: 'Only in the console' },
);

const entryBody = wireOf<ShownEntry>({
  ...same<ShownEntry>({
    value: schema.string({ description: 'Normalised' }),
    note: schema.nullable(schema.string()),
  }),
  expires_at: timeOrNull(({ expiresAtMs }) => expiresAtMs),
  expired: optional(
    field(
      schema.boolean({ description: 'Only for an expired entry, which matches nothing' }),
      ({ expiresAtMs, nowMs }) => (expiresAtMs !== null && expiresAtMs <= nowMs ? true : undefined),
    ),
  ),
  created_at: time(({ createdAtMs }) => createdAtMs),
  created_by: optional(
    field(actorSchema, ({ createdBy: { kind, id }, createdBy, names }) =>
      names === null ? undefined : { kind, id, name: names(createdBy) },
    ),
  ),
});

const errors = schema.array(schema.object({ index: schema.integer(), value: schema.string(), error: schema.string() }));

const addedBody = wireOf<EntriesResult>(
  same<EntriesResult>({
    added: schema.integer(),
    updated: schema.integer({ description: 'Values that were listed already' }),
    errors,
  }),
);

const previewBody = wireOf<EntriesPreview>({
  new: field(schema.integer(), ({ added }) => added),
  ...same<EntriesPreview>({ listed: schema.integer(), repeated: schema.integer(), errors }),
});

const removedBody = wireOf<number>({ removed: field(schema.integer(), (removed) => removed) });

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
      response: dataOf(listOf(listBody)),
      errors: [],
      handle: (_sent, { caller }) => lists.list(caller),
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
      response: dataOf(listBody),
      errors: ['validation_failed', 'list_name_taken', 'list_limit_reached', 'unsupported_media_type'],
      handle: ({ body }, { author }) => lists.create(author, body),
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
      response: dataOf(usedListBody),
      errors: ['list_not_found'],
      async handle({ params }, { caller }) {
        const list = await lists.read(caller, params.list_id);
        return { ...list, uses: await lists.uses(caller, list.id) };
      },
    }),
    endpoint({
      ...single,
      method: 'PATCH',
      operationId: 'changeCustomList',
      tool: { name: 'change_custom_list', access: 'write' },
      summary: 'Change the name or the description of a custom list',
      body: listChangeInput,
      response: dataOf(listBody),
      errors: ['validation_failed', 'list_not_found', 'list_name_taken', 'unsupported_media_type'],
      async handle({ params, body: { kind, ...change } }, { author }) {
        const list = await lists.read(author, params.list_id);
        if (kind !== undefined && kind !== list.kind)
          throw new AppError('validation_failed', { errors: { kind: ['The kind of a list cannot be changed.'] } });
        return lists.change(author, list.id, change);
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
  return [entriesPageEndpoint(lists, nameActors, now), ...entryChangeEndpoints(lists)];
}

const entries = { ...shared, path: '/v1/lists/{list_id}/entries' } as const;

function entriesPageEndpoint(lists: CustomLists, nameActors: NameActors, now: () => number): Endpoint {
  return endpoint({
    ...entries,
    method: 'GET',
    operationId: 'listCustomListEntries',
    tool: { name: 'list_custom_list_entries', access: 'read' },
    summary: 'The entries of a custom list, newest first',
    description: 'Expired entries are shown for 30 days, with `expired`.',
    query: entriesQuery,
    response: pageOf(entryBody),
    errors: ['validation_failed', 'list_not_found'],
    async handle({ params, query: { limit, cursor, q = '' } }, { caller }) {
      const beforeNo = cursor === undefined ? null : Number(cursor);
      const page = { beforeNo, limit: limit + 1, text: q === '' ? null : q };
      const found = await lists.entries(caller, params.list_id, page);
      const { data, meta } = pageBy('list-entries', found, limit, ({ no }) => String(no).padStart(26, '0'));
      // Keys and users have names that only people of the account may read.
      const names = caller.userId === undefined ? null : await nameActors(data.map(({ createdBy }) => createdBy));
      return { data: data.map((entry) => ({ ...entry, names, nowMs: now() })), meta };
    },
  });
}

function entryChangeEndpoints(lists: CustomLists): Endpoint[] {
  return [
    endpoint({
      ...entries,
      method: 'POST',
      operationId: 'addToCustomList',
      tool: { name: 'add_to_custom_list', access: 'write', guide: 'Rules that use the list apply it immediately.' },
      summary: 'Add up to 1,000 entries, or change them',
      description:
        'All valid entries are written in one transaction; `errors` lists the others. A listed value gets the note and the expiry of the request.',
      body: entriesInput,
      response: dataOf(addedBody),
      errors: ['validation_failed', 'list_not_found', 'list_full', 'unsupported_media_type'],
      handle: ({ params, body }, { author }) => lists.addEntries(author, params.list_id, body),
    }),
    endpoint({
      ...shared,
      path: '/v1/lists/{list_id}/entries/preview',
      access: 'session',
      method: 'POST',
      operationId: 'previewCustomListEntries',
      summary: 'Preview what adding up to 1,000 entries would do; read-only',
      body: entriesInput,
      response: dataOf(previewBody),
      errors: ['validation_failed', 'list_not_found', 'unsupported_media_type'],
      handle: ({ params, body }, { caller }) => lists.previewEntries(caller, params.list_id, body),
    }),
    endpoint({
      ...entries,
      method: 'DELETE',
      operationId: 'removeFromCustomList',
      tool: { name: 'remove_from_custom_list', access: 'write' },
      summary: 'Remove up to 1,000 entries by their values',
      description: 'Values that are not listed are ignored.',
      body: valuesInput,
      response: dataOf(removedBody),
      errors: ['validation_failed', 'list_not_found', 'unsupported_media_type'],
      handle: ({ params, body }, { author }) => lists.removeEntries(author, params.list_id, body),
    }),
  ];
}
