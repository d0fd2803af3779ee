import { dataOf, field, listOf, nested, optional, pageOf, same, wireOf } from '../http/answers/wire-fields.ts';
import type { WireField } from '../http/answers/wire-object.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { pageBody, pageParameters } from '../http/page.ts';
import { query } from '../input/parameter.ts';
import { schema } from '../input/schema.ts';
import { listKinds } from '../list-kind.ts';
import { gateBody, gateSummaryBody } from './gate-body.ts';
import { gateChangeInput, newGateInput } from './gate-input.ts';
import type { Gates } from './gates.ts';
import { type FieldDescription, fieldCatalogue, fieldGroups } from './rules/fields.ts';
import {
  type OperatorDescription,
  operatorCatalogue,
  type ValueShape,
  valueKinds,
} from './rules/operator-catalogue.ts';
import type { PrepareBody } from './rules/patterns-ahead.ts';

/** Settings that all endpoints of the Management API share. */
export const managed = { family: 'gates', plan: 'pro', credits: 0 } as const;

/** `/v1/gates`, `/v1/gates/{gate_id}` and `/v1/fields`. */
export function gatesEndpoints(gates: Gates, prepareBody: PrepareBody): Endpoint[] {
  return [...collectionEndpoints(gates, prepareBody), ...singleEndpoints(gates, prepareBody), fieldsEndpoint()];
}

function collectionEndpoints(gates: Gates, prepareBody: PrepareBody): Endpoint[] {
  return [
    endpoint({
      ...managed,
      method: 'GET',
      path: '/v1/gates',
      operationId: 'listGates',
      tool: { name: 'list_gates', access: 'read', guide: 'Start here: all other gate tools need a gate_id.' },
      summary: 'The gates of the environment, newest first',
      query: query(pageParameters('gates')),
      response: pageOf(gateSummaryBody),
      errors: ['validation_failed'],
      async handle({ query: { limit, cursor = null } }, { caller }) {
        return pageBody('gates', await gates.list(caller, limit + 1, cursor), limit);
      },
    }),
    endpoint({
      ...managed,
      method: 'POST',
      path: '/v1/gates',
      operationId: 'createGate',
      tool: {
        name: 'create_gate',
        access: 'write',
        guide: 'Without rules, the gate starts with the rules of the signup preset.',
      },
      summary: 'Create a gate, with your rules or those of a preset',
      status: 201,
      prepareBody,
      body: newGateInput,
      response: dataOf(gateBody),
      errors: ['validation_failed', 'gate_limit_reached', 'rule_limit_reached', 'unsupported_media_type'],
      handle: ({ body }, { author }) => gates.create(author, body),
    }),
  ];
}

function singleEndpoints(gates: Gates, prepareBody: PrepareBody): Endpoint[] {
  const shared = { ...managed, path: '/v1/gates/{gate_id}' } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'readGate',
      tool: {
        name: 'read_gate',
        access: 'read',
        guide: 'Rules are evaluated from top to bottom; the last match decides, and one with stop is final.',
      },
      summary: 'A gate with its rules in order',
      response: dataOf(gateBody),
      errors: ['gate_not_found'],
      handle: ({ params }, { caller }) => gates.read(caller, params.gate_id),
    }),
    endpoint({
      ...shared,
      method: 'PATCH',
      operationId: 'changeGate',
      tool: {
        name: 'change_gate',
        access: 'write',
        guide:
          'Send only the fields to change. The change affects live traffic immediately: run backtest_rules before you send rules.',
      },
      summary: 'Change a gate; if rules are sent, they replace all of its rules',
      prepareBody,
      body: gateChangeInput,
      response: dataOf(gateBody),
      errors: ['validation_failed', 'gate_not_found', 'gate_changed', 'rule_limit_reached', 'unsupported_media_type'],
      handle: ({ params, body }, { author }) => gates.change(author, params.gate_id, body),
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      operationId: 'removeGate',
      tool: {
        name: 'remove_gate',
        access: 'write',
        guide: 'The log and the statistics cannot be restored: ask the user first.',
      },
      summary: 'Remove a gate, its rules, its log and its statistics',
      status: 204,
      errors: ['gate_not_found'],
      handle: ({ params }, { author }) => gates.remove(author, params.gate_id),
    }),
  ];
}

const fieldBody = wireOf<FieldDescription>({
  ...same<FieldDescription>({
    path: schema.string(),
    type: schema.string(),
    operators: schema.array(schema.string()),
  }),
  list_kinds: optional(
    field(
      schema.array(schema.oneOf(listKinds), { description: 'The kinds of lists that in_list and not_in_list take' }),
      ({ listKinds: kinds }) => kinds,
    ),
  ),
  ...same<FieldDescription>({
    description: schema.string(),
    label: schema.string({ description: 'Display name' }),
    group: schema.oneOf(fieldGroups, { description: 'The group that the console shows it in' }),
  }),
  values: optional(
    field(
      schema.array(schema.string(), { description: 'All possible values, if there are few' }),
      ({ values }) => values,
    ),
  ),
  unit: optional(field(schema.string({ description: 'The unit of its numbers' }), ({ unit }) => unit)),
  minimum: optional(field(schema.integer(), ({ minimum }) => minimum)),
  maximum: optional(field(schema.integer(), ({ maximum }) => maximum)),
});

const limit = (value: (shape: ValueShape) => number | undefined, description?: string): WireField<ValueShape> =>
  optional(field(schema.integer(description === undefined ? {} : { description }), value));

const valueBody = wireOf<ValueShape>({
  kind: field(
    schema.oneOf(valueKinds, {
      description: 'range: a list of two integers, [low, high]; custom_list: the id of a list of GET /v1/lists',
    }),
    ({ kind }) => kind,
  ),
  min_items: limit(({ minItems }) => minItems),
  max_items: limit(({ maxItems }) => maxItems),
  min_length: limit(({ minLength }) => minLength, 'For each string'),
  max_length: limit(({ maxLength }) => maxLength, 'For each string'),
  pattern: field(
    schema.boolean({ description: 'Whether the value is a regular expression' }),
    ({ isPattern }) => isPattern,
  ),
});

const operatorBody = wireOf<OperatorDescription>({
  ...same<OperatorDescription>({
    name: schema.string(),
    label: schema.string({ description: 'Display text between the field label and the value' }),
  }),
  negated: field(schema.boolean(), ({ isNegated }) => isNegated),
  value: nested(valueBody, ({ value }) => value, {
    description: 'The value that a condition takes; it has the type of the field',
  }),
});

interface Catalogue {
  readonly fields: readonly FieldDescription[];
  readonly operators: readonly OperatorDescription[];
}

const catalogueBody = wireOf<Catalogue>({
  data: nested(listOf(fieldBody), ({ fields }) => fields),
  operators: nested(listOf(operatorBody), ({ operators }) => operators),
});

function fieldsEndpoint(): Endpoint {
  const fields = fieldCatalogue();
  const catalogue: Catalogue = { fields, operators: operatorCatalogue() };
  const byType = Object.entries(Object.groupBy(fields, ({ type }) => type));
  const concise = Object.fromEntries(
    byType.map(([type, ofType = []]) => [
      type,
      { operators: ofType[0]?.operators, fields: ofType.map(({ path }) => path) },
    ]),
  );
  return endpoint({
    ...managed,
    method: 'GET',
    path: '/v1/fields',
    operationId: 'listFields',
    tool: {
      name: 'list_fields',
      access: 'read',
      guide:
        'Read it before you write conditions: any other field or operator is rejected. full: true adds descriptions and the values of operators.',
      concise: () => concise,
    },
    summary: 'The fields a condition can name, the operators of each, and the value each operator takes',
    response: catalogueBody,
    errors: [],
    handle: () => catalogue,
  });
}
