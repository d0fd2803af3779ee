import { dataOf } from '../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { ruleBody, rulesBody } from './gate-body.ts';
import { replacementInput } from './gate-input.ts';
import type { Gates } from './gates.ts';
import { managed } from './gates-endpoints.ts';
import type { PrepareBody } from './rules/patterns-ahead.ts';
import { newRuleInput, orderInput, ruleChangeInput } from './rules/rule-input.ts';

/** Everything under `/v1/gates/{gate_id}/rules`. */
export function rulesEndpoints(gates: Gates, prepareBody: PrepareBody): Endpoint[] {
  return [
    ...listEndpoints(gates, prepareBody),
    replaceEndpoint(gates, prepareBody),
    orderEndpoint(gates),
    ...singleEndpoints(gates, prepareBody),
  ];
}

function listEndpoints(gates: Gates, prepareBody: PrepareBody): Endpoint[] {
  const shared = { ...managed, path: '/v1/gates/{gate_id}/rules' } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'listRules',
      tool: { name: 'list_rules', access: 'read' },
      summary: 'The rules of a gate in order',
      response: dataOf(rulesBody),
      errors: ['gate_not_found'],
      handle: ({ params }, { caller }) => gates.read(caller, params.gate_id),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      operationId: 'addRule',
      tool: {
        name: 'add_rule',
        access: 'write',
        // A rule that allows can open the gate.
        destructive: true,
        guide:
          'The rule affects live traffic immediately. With mode shadow its matches are only counted: read_stats shows them.',
      },
      summary: 'Add a rule at the end, or insert it at a position',
      status: 201,
      prepareBody,
      body: newRuleInput,
      response: dataOf(ruleBody),
      errors: ['validation_failed', 'gate_not_found', 'rule_limit_reached', 'unsupported_media_type'],
      handle: ({ params, body }, { author }) => gates.addRule(author, params.gate_id, body),
    }),
  ];
}

function replaceEndpoint(gates: Gates, prepareBody: PrepareBody): Endpoint {
  return endpoint({
    ...managed,
    method: 'PUT',
    path: '/v1/gates/{gate_id}/rules',
    operationId: 'replaceRules',
    tool: {
      name: 'save_rules',
      access: 'write',
      guide:
        'Omitted rules are removed: send all rules as read_gate returned them, each with its id. The change affects live traffic immediately; backtest_rules takes the same rules.',
    },
    summary: 'Replace all rules of a gate',
    description:
      "A rule with an existing rule's id changes that rule; any other rule is new. With expected_revision, nothing " +
      'changes if the gate has been changed since that revision.',
    prepareBody,
    body: replacementInput,
    response: dataOf(rulesBody),
    errors: ['validation_failed', 'gate_not_found', 'gate_changed', 'rule_limit_reached', 'unsupported_media_type'],
    handle: ({ params, body }, { author }) => gates.change(author, params.gate_id, body),
  });
}

function orderEndpoint(gates: Gates): Endpoint {
  return endpoint({
    ...managed,
    method: 'PUT',
    path: '/v1/gates/{gate_id}/rules/order',
    reserved: true,
    operationId: 'orderRules',
    tool: { name: 'order_rules', access: 'write', guide: 'Send the ids of all rules of the gate in their new order.' },
    summary: 'Reorder the rules of a gate',
    body: orderInput,
    response: dataOf(rulesBody),
    errors: ['validation_failed', 'gate_not_found', 'unsupported_media_type'],
    handle: ({ params, body }, { author }) => gates.orderRules(author, params.gate_id, body),
  });
}

function singleEndpoints(gates: Gates, prepareBody: PrepareBody): Endpoint[] {
  const shared = { ...managed, path: '/v1/gates/{gate_id}/rules/{rule_id}' } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'readRule',
      tool: { name: 'read_rule', access: 'read' },
      summary: 'One rule of a gate',
      response: dataOf(ruleBody),
      errors: ['gate_not_found', 'rule_not_found'],
      handle: ({ params }, { caller }) => gates.readRule(caller, params.gate_id, params.rule_id),
    }),
    endpoint({
      ...shared,
      method: 'PATCH',
      operationId: 'changeRule',
      tool: {
        name: 'change_rule',
        access: 'write',
        guide:
          'Send only the fields to change; conditions replace all conditions of the rule. The change affects live traffic immediately: run backtest_rules first.',
      },
      summary: 'Change a rule, or move it to another position',
      prepareBody,
      body: ruleChangeInput,
      response: dataOf(ruleBody),
      errors: ['validation_failed', 'gate_not_found', 'rule_not_found', 'unsupported_media_type'],
      handle: ({ params, body }, { author }) => gates.changeRule(author, params.gate_id, params.rule_id, body),
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      operationId: 'removeRule',
      tool: {
        name: 'remove_rule',
        access: 'write',
        guide: 'To try the gate without it, set enabled to false with change_rule.',
      },
      summary: 'Remove a rule from a gate',
      status: 204,
      errors: ['gate_not_found', 'rule_not_found'],
      handle: ({ params }, { author }) => gates.removeRule(author, params.gate_id, params.rule_id),
    }),
  ];
}
