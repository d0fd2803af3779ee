import { AppError } from '../errors.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { schema } from '../http/schema.ts';
import { gateBody, gateSummaryBody } from './gate-body.ts';
import { dataOf, gateChangeSchema, gateSchema, gateSummarySchema, newGateSchema, pageOf } from './gate-schema.ts';
import type { Gates } from './gates.ts';
import { type PageQuery, pageBody, pageQuerySchema, readPage } from './page-query.ts';
import { readQuery } from './query-value.ts';
import { requestObject } from './request-object.ts';
import { fieldCatalogue } from './rules/fields.ts';
import type { Validated } from './rules/validate-rule.ts';
import { type GateChange, type NewGate, validateGateChange, validateNewGate } from './validate-gate.ts';

/** What every endpoint of the Management API has in common. */
export const managed = { family: 'gates', plan: 'pro', credits: 0 } as const;

/** The path parameter of everything inside a gate. */
export const gateParams = { gate_id: schema.string() };

/** The value, or the refusal that names everything wrong with it. */
export function accepted<T>(validated: Validated<T>): T {
  if (!validated.ok) throw new AppError('validation_failed', { errors: validated.errors });
  return validated.value;
}

/** `/v1/gates`, `/v1/gates/{gate_id}` and `/v1/fields`. */
export function gatesEndpoints(gates: Gates): Endpoint[] {
  return [...collectionEndpoints(gates), ...singleEndpoints(gates), fieldsEndpoint()];
}

function collectionEndpoints(gates: Gates): Endpoint[] {
  return [
    endpoint<PageQuery>({
      ...managed,
      method: 'GET',
      path: '/v1/gates',
      operationId: 'listGates',
      summary: 'The gates of the environment, newest first',
      schemas: { query: schema.object(pageQuerySchema), response: pageOf(gateSummarySchema) },
      errors: ['validation_failed'],
      input: ({ query }) => readQuery(query, (values) => readPage(values, 'gates')),
      async handle({ limit, beforeId }, { caller }) {
        const found = await gates.list(caller, limit + 1, beforeId);
        return pageBody('gates', found.map(gateSummaryBody), limit);
      },
    }),
    endpoint<NewGate>({
      ...managed,
      method: 'POST',
      path: '/v1/gates',
      operationId: 'createGate',
      summary: 'Create a gate, with the rules of a preset',
      status: 201,
      schemas: { body: newGateSchema, response: dataOf(gateSchema) },
      errors: ['validation_failed', 'gate_limit_reached', 'unsupported_media_type'],
      input: ({ body }) => accepted(validateNewGate(requestObject(body))),
      handle: async (gate, { caller }) => ({ data: gateBody(await gates.create(caller, gate)) }),
    }),
  ];
}

function singleEndpoints(gates: Gates): Endpoint[] {
  const shared = { ...managed, path: '/v1/gates/{gate_id}' } as const;
  const params = schema.object(gateParams);
  return [
    endpoint<string>({
      ...shared,
      method: 'GET',
      operationId: 'readGate',
      summary: 'A gate with its rules in order',
      schemas: { params, response: dataOf(gateSchema) },
      errors: ['gate_not_found'],
      input: ({ params: { gate_id = '' } }) => gate_id,
      handle: async (gateId, { caller }) => ({ data: gateBody(await gates.read(caller, gateId)) }),
    }),
    endpoint<GateChange>({
      ...shared,
      method: 'PATCH',
      operationId: 'changeGate',
      summary: 'Change the name, description or default action of a gate',
      schemas: { params, body: gateChangeSchema, response: dataOf(gateSchema) },
      errors: ['validation_failed', 'gate_not_found', 'unsupported_media_type'],
      input: ({ body }) => accepted(validateGateChange(requestObject(body))),
      handle: async (change, { caller, params: { gate_id = '' } }) => ({
        data: gateBody(await gates.change(caller, gate_id, change)),
      }),
    }),
    endpoint<string>({
      ...shared,
      method: 'DELETE',
      operationId: 'removeGate',
      summary: 'Remove a gate, its rules, its log and its statistics',
      status: 204,
      schemas: { params },
      errors: ['gate_not_found'],
      input: ({ params: { gate_id = '' } }) => gate_id,
      handle: (gateId, { caller }) => gates.remove(caller, gateId),
    }),
  ];
}

const fieldSchema = schema.object({
  path: schema.string(),
  type: schema.string(),
  operators: schema.array(schema.string()),
  description: schema.string(),
});

function fieldsEndpoint(): Endpoint {
  const catalogue = { data: fieldCatalogue() };
  return endpoint({
    ...managed,
    method: 'GET',
    path: '/v1/fields',
    operationId: 'listFields',
    summary: 'The fields a condition can name, and the operators of each',
    schemas: { response: dataOf(schema.array(fieldSchema)) },
    errors: [],
    input: () => null,
    handle: () => catalogue,
  });
}
