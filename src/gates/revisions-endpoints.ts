import { type Actor, actorKinds, type NameActors, type NamedActors } from '../actor.ts';
import { AppError } from '../errors.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { dataOf, pageBy, pageOf, pageParameters } from '../http/page.ts';
import { wireTime } from '../http/wire-time.ts';
import { query } from '../input/parameter.ts';
import { type JsonSchema, schema } from '../input/schema.ts';
import { gateBody, rulesBody } from './gate-body.ts';
import { restoreInput } from './gate-input.ts';
import { gateSchema, revisionStateSchemas } from './gate-schema.ts';
import { managed } from './gates-endpoints.ts';
import type { Revisions } from './revisions.ts';
import type { Revision, RevisionSummary } from './revisions-store.ts';

/** Everything under `/v1/gates/{gate_id}/revisions`. */
export function revisionsEndpoints(revisions: Revisions, nameActors: NameActors): Endpoint[] {
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
      response: pageOf(summarySchema),
      errors: ['validation_failed', 'gate_not_found'],
      async handle({ params, query: { limit, cursor } }, { caller }) {
        const before = cursor === undefined ? null : Number(cursor);
        const found = await revisions.list(caller, params.gate_id, limit + 1, before);
        const names = await nameActors(found.flatMap(({ changedBy }) => changedBy ?? []));
        const bodies = found.map((one) => revisionSummaryBody(one, names));
        return pageBy('revisions', bodies, limit, ({ revision }) => String(revision).padStart(26, '0'));
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
      response: dataOf(revisionSchema),
      errors: ['gate_not_found', 'revision_not_found'],
      async handle({ params }, { caller }) {
        const found = await revisions.find(caller, params.gate_id, revisionIn(params.revision));
        return { data: revisionBody(found, await nameActors(found.changedBy === null ? [] : [found.changedBy])) };
      },
    }),
    endpoint({
      ...managed,
      method: 'POST',
      path: '/v1/gates/{gate_id}/revisions/{revision}/restore',
      operationId: 'restoreRevision',
      tool: { name: 'restore_revision', access: 'write', destructive: true, guide: 'Reverts all later changes.' },
      summary: 'Restore an earlier revision of a gate, as a new revision',
      description: 'Rules that still exist keep their ids; removed rules get new ids.',
      body: restoreInput,
      response: dataOf(gateSchema),
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
        return { data: gateBody(await revisions.restore(author, gate_id, revisionIn(revision), expected_revision)) };
      },
    }),
  ];
}

function revisionIn(text: string): number | 'current' {
  if (text === 'current') return text;
  if (!/^(?:0|[1-9]\d{0,8})$/.test(text)) throw new AppError('revision_not_found');
  return Number(text);
}

/** The author of a change, with a name. */
export function actorBody(actor: Pick<Actor, 'kind' | 'id'> | null, names: NamedActors) {
  return actor === null ? null : { kind: actor.kind, id: actor.id, name: names(actor) };
}

function revisionSummaryBody(revision: RevisionSummary, names: NamedActors) {
  return {
    revision: revision.revision,
    changed_at: wireTime(revision.changedAtMs),
    changed_by: actorBody(revision.changedBy, names),
    changes: changesBody(revision.changes),
    name: revision.name,
    default_action: revision.defaultAction,
    rules_count: revision.rulesCount,
  };
}

function revisionBody(revision: Revision, names: NamedActors) {
  return {
    ...revisionSummaryBody({ ...revision, rulesCount: revision.rules.length }, names),
    description: revision.description,
    wait: revision.wait,
    rules: rulesBody(revision),
  };
}

function changesBody({ fields, ...rules }: Revision['changes']) {
  if (fields === undefined) return rules;
  return { fields: fields.map((name) => (name === 'defaultAction' ? 'default_action' : name)), ...rules };
}

/** The author of a change. */
export const actorSchema: JsonSchema = schema.nullable(
  schema.object({
    kind: schema.oneOf(actorKinds),
    id: schema.string(),
    name: schema.nullable(schema.string({ description: 'The name of a key, the address of a user' })),
  }),
  { description: 'Null for a revision from before changes were recorded' },
);

const namedRule = { id: schema.string(), name: schema.string() };
const names = schema.array(schema.string());

const summaryFields = {
  revision: schema.integer({ minimum: 0 }),
  changed_at: schema.string(),
  changed_by: actorSchema,
  changes: schema.object(
    schema.partial({
      fields: names,
      rules_added: schema.array(schema.object(namedRule)),
      rules_removed: schema.array(schema.object(namedRule)),
      rules_changed: schema.array(schema.object({ ...namedRule, fields: names })),
      rules_ordered: { ...names, description: 'All rules in their new order, if the order changed' },
    }),
    { description: 'The changes of this revision; fields without a change are omitted' },
  ),
  ...revisionStateSchemas.summary,
};

const summarySchema = schema.object(summaryFields);
const revisionSchema = schema.object({ ...summaryFields, ...revisionStateSchemas.whole });
