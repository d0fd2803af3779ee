import { type Actor, actorKinds, type NameActors, type NamedActors } from '../actor.ts';
import { AppError } from '../errors.ts';
import type { WireFields } from '../http/answers/wire-fields.ts';
import { dataOf, field, nested, nestedOrNull, pageOf, same, time, wireOf } from '../http/answers/wire-fields.ts';
import type { WireField } from '../http/answers/wire-object.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { pageBy, pageParameters } from '../http/page.ts';
import { query } from '../input/parameter.ts';
import { schema } from '../input/schema.ts';
import { gateBody, gateStateFields, rulesBody } from './gate-body.ts';
import { restoreInput } from './gate-input.ts';
import { managed } from './gates-endpoints.ts';
import type { Revisions } from './revisions.ts';
import type { Revision, RevisionSummary } from './revisions-store.ts';

/** The author of a change. */
export type Author = Pick<Actor, 'kind' | 'id'> & { readonly name: string | null };

const authorBody = wireOf<Author>(
  same<Author>({
    kind: schema.oneOf(actorKinds),
    id: schema.string(),
    name: schema.nullable(schema.string({ description: 'The name of a key, the address of a user' })),
  }),
);

/** The author of a change, with a name. */
export function authorField<T>(value: (source: T) => Author | null): WireField<T> {
  return nestedOrNull(authorBody, value, {
    description: 'Null for a revision from before changes were recorded',
  });
}

/** An actor with a name. */
export function namedAuthor(actor: Pick<Actor, 'kind' | 'id'> | null, names: NamedActors): Author | null {
  return actor === null ? null : { kind: actor.kind, id: actor.id, name: names(actor) };
}

const namedRule = { id: schema.string(), name: schema.string() };
const names = schema.array(schema.string());

const changesSchema = schema.object(
  schema.partial({
    fields: names,
    rules_added: schema.array(schema.object(namedRule)),
    rules_removed: schema.array(schema.object(namedRule)),
    rules_changed: schema.array(schema.object({ ...namedRule, fields: names })),
    rules_ordered: { ...names, description: 'All rules in their new order, if the order changed' },
  }),
  { description: 'The changes of this revision; fields without a change are omitted' },
);

/** Changes are stored as they are shown, except for the names of fields. */
function shownChanges({ fields, ...rules }: Revision['changes']) {
  if (fields === undefined) return rules;
  return { fields: fields.map((name) => (name === 'defaultAction' ? 'default_action' : name)), ...rules };
}

/** A revision with the name of its author. */
interface ShownRevision extends RevisionSummary {
  readonly author: Author | null;
}

const { name, default_action, rules_count, description, wait } = gateStateFields;

const summaryFields: WireFields<ShownRevision> = {
  revision: field(schema.integer({ minimum: 0 }), ({ revision }) => revision),
  changed_at: time(({ changedAtMs }) => changedAtMs),
  changed_by: authorField(({ author }) => author),
  changes: field(changesSchema, ({ changes }) => shownChanges(changes)),
  name,
  default_action,
  rules_count,
};

const summaryBody = wireOf(summaryFields);

const revisionBody = wireOf<ShownRevision & Revision>({
  ...summaryFields,
  description,
  wait,
  rules: nested(rulesBody, (revision) => revision),
});

/** Everything under `/v1/gates/{gate_id}/revisions`. */
export function revisionsEndpoints(revisions: Revisions, nameActors: NameActors): Endpoint[] {
  return [...readingEndpoints(revisions, nameActors), restoreEndpoint(revisions)];
}

function readingEndpoints(revisions: Revisions, nameActors: NameActors): Endpoint[] {
  return [
    endpoint({
      ...managed,
      method: 'GET',
      path: '/v1/gates/{gate_id}/revisions',
      operationId: 'listRevisions',
      tool: { name: 'list_revisions', access: 'read' },
      summary: 'The revisions of a gate: who changed what, newest first',
      description:
        'The newest 200 are kept, and 50 MB (compressed) of all gates of an account: beyond that, its oldest are removed first.',
      query: query(pageParameters('revisions')),
      response: pageOf(summaryBody),
      errors: ['validation_failed', 'gate_not_found'],
      async handle({ params, query: { limit, cursor } }, { caller }) {
        const before = cursor === undefined ? null : Number(cursor);
        const found = await revisions.list(caller, params.gate_id, limit + 1, before);
        const names = await nameActors(found.flatMap(({ changedBy }) => changedBy ?? []));
        const shown = found.map((one) => ({ ...one, author: namedAuthor(one.changedBy, names) }));
        return pageBy('revisions', shown, limit, ({ revision }) => String(revision).padStart(26, '0'));
      },
    }),
    endpoint({
      ...managed,
      method: 'GET',
      path: '/v1/gates/{gate_id}/revisions/{revision}',
      operationId: 'readRevision',
      tool: { name: 'read_revision', access: 'read' },
      summary: 'A gate at one revision',
      description: 'The revision is a number, or `current`. The response contains every setting that can be changed.',
      response: dataOf(revisionBody),
      errors: ['gate_not_found', 'revision_not_found'],
      async handle({ params }, { caller }) {
        const found = await revisions.find(caller, params.gate_id, revisionIn(params.revision));
        const names = await nameActors(found.changedBy === null ? [] : [found.changedBy]);
        return { ...found, rulesCount: found.rules.length, author: namedAuthor(found.changedBy, names) };
      },
    }),
  ];
}

function restoreEndpoint(revisions: Revisions): Endpoint {
  return endpoint({
    ...managed,
    method: 'POST',
    path: '/v1/gates/{gate_id}/revisions/{revision}/restore',
    operationId: 'restoreRevision',
    tool: { name: 'restore_revision', access: 'write', destructive: true, guide: 'Reverts all later changes.' },
    summary: 'Restore an earlier revision of a gate, as a new revision',
    description: 'Rules that still exist keep their ids; removed rules get new ids.',
    body: restoreInput,
    response: dataOf(gateBody),
    errors: [
      'validation_failed',
      'gate_not_found',
      'revision_not_found',
      'gate_changed',
      'rule_limit_reached',
      'unsupported_media_type',
    ],
    async handle({ params, body: { expected_revision } }, { author }) {
      const { gate_id, revision } = params;
      return revisions.restore(author, gate_id, revisionIn(revision), expected_revision);
    },
  });
}

function revisionIn(text: string): number | 'current' {
  if (text === 'current') return text;
  if (!/^(?:0|[1-9]\d{0,8})$/.test(text)) throw new AppError('revision_not_found');
  return Number(text);
}
