import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { schema } from '../http/schema.ts';
import { ruleBody, rulesBody } from './gate-body.ts';
import { dataOf, newRuleSchema, ruleChangeSchema, ruleSchema } from './gate-schema.ts';
import type { Gates } from './gates.ts';
import { accepted, gateParams, managed } from './gates-endpoints.ts';
import { requestObject } from './request-object.ts';
import { validateOrder } from './rules/validate-order.ts';
import { type NewRule, type RuleChange, validateNewRule, validateRuleChange } from './rules/validate-rule.ts';

/** Everything under `/v1/gates/{gate_id}/rules`. */
export function rulesEndpoints(gates: Gates): Endpoint[] {
  return [...listEndpoints(gates), orderEndpoint(gates), ...singleEndpoints(gates)];
}

function listEndpoints(gates: Gates): Endpoint[] {
  const shared = { ...managed, path: '/v1/gates/{gate_id}/rules' } as const;
  const params = schema.object(gateParams);
  return [
    endpoint<string>({
      ...shared,
      method: 'GET',
      operationId: 'listRules',
      summary: 'The rules of a gate in order',
      schemas: { params, response: dataOf(schema.array(ruleSchema)) },
      errors: ['gate_not_found'],
      input: ({ params: { gate_id = '' } }) => gate_id,
      handle: async (gateId, { caller }) => ({ data: rulesBody(await gates.read(caller, gateId)) }),
    }),
    endpoint<NewRule>({
      ...shared,
      method: 'POST',
      operationId: 'addRule',
      summary: 'Add a rule at the end, or insert it at a position',
      status: 201,
      schemas: { params, body: newRuleSchema, response: dataOf(ruleSchema) },
      errors: ['validation_failed', 'gate_not_found', 'rule_limit_reached', 'unsupported_media_type'],
      input: ({ body }) => accepted(validateNewRule(requestObject(body))),
      handle: async (rule, { caller, params: { gate_id = '' } }) => ({
        data: ruleBody(await gates.addRule(caller, gate_id, rule)),
      }),
    }),
  ];
}

function orderEndpoint(gates: Gates): Endpoint {
  return endpoint<readonly string[]>({
    ...managed,
    method: 'PUT',
    path: '/v1/gates/{gate_id}/rules/order',
    operationId: 'orderRules',
    summary: 'Put the rules of a gate in another order, all at once',
    schemas: {
      params: schema.object(gateParams),
      body: schema.object({ rule_ids: schema.array(schema.string()) }),
      response: dataOf(schema.array(ruleSchema)),
    },
    errors: ['validation_failed', 'gate_not_found', 'unsupported_media_type'],
    input: ({ body }) => accepted(validateOrder(requestObject(body))),
    handle: async (ruleIds, { caller, params: { gate_id = '' } }) => ({
      data: rulesBody(await gates.orderRules(caller, gate_id, ruleIds)),
    }),
  });
}

function singleEndpoints(gates: Gates): Endpoint[] {
  const shared = { ...managed, path: '/v1/gates/{gate_id}/rules/{rule_id}' } as const;
  const params = schema.object({ ...gateParams, rule_id: schema.string() });
  return [
    endpoint<null>({
      ...shared,
      method: 'GET',
      operationId: 'readRule',
      summary: 'One rule of a gate',
      schemas: { params, response: dataOf(ruleSchema) },
      errors: ['gate_not_found', 'rule_not_found'],
      input: () => null,
      handle: async (_input, { caller, params: { gate_id = '', rule_id = '' } }) => ({
        data: ruleBody(await gates.readRule(caller, gate_id, rule_id)),
      }),
    }),
    endpoint<RuleChange>({
      ...shared,
      method: 'PATCH',
      operationId: 'changeRule',
      summary: 'Change a rule, or move it to another position',
      schemas: { params, body: ruleChangeSchema, response: dataOf(ruleSchema) },
      errors: ['validation_failed', 'gate_not_found', 'rule_not_found', 'unsupported_media_type'],
      input: ({ body }) => accepted(validateRuleChange(requestObject(body))),
      handle: async (change, { caller, params: { gate_id = '', rule_id = '' } }) => ({
        data: ruleBody(await gates.changeRule(caller, gate_id, rule_id, change)),
      }),
    }),
    endpoint<null>({
      ...shared,
      method: 'DELETE',
      operationId: 'removeRule',
      summary: 'Remove a rule from a gate',
      status: 204,
      schemas: { params },
      errors: ['gate_not_found', 'rule_not_found'],
      input: () => null,
      handle: (_input, { caller, params: { gate_id = '', rule_id = '' } }) =>
        gates.removeRule(caller, gate_id, rule_id),
    }),
  ];
}
