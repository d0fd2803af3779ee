import { dataOf, field, same, wireOf } from '../../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { schema } from '../../input/schema.ts';
import { type Outcome, outcomeNames } from '../decisions/outcome.ts';
import type { Gates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import type { AppliedOutcomes, Outcomes } from './outcomes.ts';
import { decisionsInput, outcomeInput, outcomesInput } from './outcomes-input.ts';

const outcomeBody = wireOf<Outcome>({
  outcome: field(schema.oneOf(outcomeNames), ({ outcome }) => outcome),
  outcome_reason: field(schema.nullable(schema.string()), ({ reason }) => reason),
});

const appliedBody = wireOf<AppliedOutcomes>(
  same<AppliedOutcomes>({
    matched: schema.integer({ description: 'Items with at least one logged decision' }),
    decisions: schema.integer({ description: 'Distinct decisions' }),
    unmatched: schema.array(schema.integer(), { description: 'The indices of items without a logged decision' }),
  }),
);

const ofDecision = { ...managed, path: '/v1/gates/{gate_id}/decisions/{decision_id}/outcome' } as const;

/** `PUT` and `DELETE …/decisions/{decision_id}/outcome`, and `POST /v1/outcomes`. */
export function outcomesEndpoints(gates: Pick<Gates, 'read'>, outcomes: Outcomes): Endpoint[] {
  return [...decisionOutcomeEndpoints(gates, outcomes), ...bulkOutcomesEndpoints(outcomes)];
}

function decisionOutcomeEndpoints(gates: Pick<Gates, 'read'>, outcomes: Outcomes): Endpoint[] {
  return [
    endpoint({
      ...ofDecision,
      method: 'PUT',
      operationId: 'setOutcome',
      load: 'report',
      tool: {
        name: 'set_outcome',
        access: 'write',
        guide: 'good: a real customer. bad: fraud, spam, a chargeback. search_decisions finds the decision.',
      },
      summary: 'Report what became of a decision',
      body: outcomeInput,
      response: dataOf(outcomeBody),
      errors: ['validation_failed', 'gate_not_found', 'decision_not_found', 'unsupported_media_type'],
      async handle({ params, body }, { caller }) {
        const { id } = await gates.read(caller, params.gate_id);
        await outcomes.set(id, params.decision_id, body);
        return body;
      },
    }),
    endpoint({
      ...ofDecision,
      method: 'DELETE',
      operationId: 'removeOutcome',
      load: 'report',
      tool: { name: 'remove_outcome', access: 'write' },
      summary: "Remove a decision's outcome",
      status: 204,
      errors: ['gate_not_found', 'decision_not_found'],
      async handle({ params }, { caller }) {
        const { id } = await gates.read(caller, params.gate_id);
        await outcomes.remove(id, params.decision_id);
      },
    }),
  ];
}

function bulkOutcomesEndpoints(outcomes: Outcomes): Endpoint[] {
  return [
    endpoint({
      ...managed,
      method: 'POST',
      path: '/v1/outcomes',
      operationId: 'reportOutcomes',
      load: 'report',
      tool: {
        name: 'report_outcomes',
        access: 'write',
        destructive: true,
        guide: 'An email applies to all logged decisions about the address, in every gate of the environment.',
      },
      summary: 'Report what became of up to 1,000 decisions or addresses, all or none',
      body: outcomesInput,
      response: dataOf(appliedBody),
      errors: ['validation_failed', 'unsupported_media_type'],
      handle: ({ body }, { caller }) => outcomes.apply(caller, body),
    }),
    endpoint({
      ...managed,
      access: 'session',
      method: 'POST',
      path: '/outcomes/preview',
      operationId: 'previewOutcomes',
      load: 'report',
      summary: 'What reporting these outcomes would find, without storing them',
      body: outcomesInput,
      response: dataOf(appliedBody),
      errors: ['validation_failed', 'unsupported_media_type'],
      handle: ({ body }, { caller }) => outcomes.preview(caller, body),
    }),
    endpoint({
      ...managed,
      access: 'session',
      method: 'POST',
      path: '/outcomes/remove',
      operationId: 'removeOutcomes',
      load: 'report',
      summary: 'Remove the outcomes of up to 1,000 decisions, to undo a bulk report',
      status: 204,
      body: decisionsInput,
      errors: ['validation_failed'],
      async handle({ body }, { caller }) {
        await outcomes.removeMany(caller, body);
      },
    }),
  ];
}
