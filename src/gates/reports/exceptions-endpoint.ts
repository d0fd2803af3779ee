import { AppError } from '../../errors.ts';
import { dataOf, field, listOf, nested, same, wireOf } from '../../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { schema } from '../../input/schema.ts';
import { ulidIn } from '../../ulid.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import type { DecisionsStore } from '../decisions/decisions-store.ts';
import type { Gates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import { actions } from '../rules/action.ts';
import { type Exception, type ExceptionParts, type Exceptions, findExceptions } from './exceptions.ts';

type ExceptionRequest = Exception['request'];

const requestBody = wireOf<ExceptionRequest>(
  same<ExceptionRequest>({
    method: schema.oneOf(['POST', 'PATCH']),
    path: schema.string(),
    body: schema.record({}),
  }),
);

const exceptionBody = wireOf<Exception>({
  summary: field(schema.string(), ({ summary }) => summary),
  request: nested(requestBody, ({ request }) => request),
  evaluated: field(
    schema.integer({ description: 'The newest decisions of the last 30 days, at most 10,000' }),
    ({ evaluated }) => evaluated,
  ),
  complete: field(schema.boolean({ description: 'False if decisions were left out' }), ({ complete }) => complete),
  allows: field(
    schema.integer({ description: 'Evaluated decisions that it would have allowed and the current rules do not' }),
    ({ allows }) => allows,
  ),
  allows_good: field(schema.integer({ description: 'Those with the outcome good' }), ({ allowsGood }) => allowsGood),
  allows_bad: field(schema.integer({ description: 'Those with the outcome bad' }), ({ allowsBad }) => allowsBad),
});

const exceptionsBody = wireOf<Exceptions>({
  action: field(
    schema.oneOf(actions, { description: 'What the current rules decide about the subject' }),
    ({ action }) => action,
  ),
  changes: nested(listOf(exceptionBody, { maxItems: 3 }), ({ changes }) => changes),
});

/** Dependencies of the endpoint. */
export interface ExceptionEndpointParts extends ExceptionParts {
  readonly gates: Pick<Gates, 'read'>;
  readonly store: Pick<DecisionsStore, 'find' | 'listOf'>;
  readonly recorder: Pick<DecisionRecorder, 'tryFlush'>;
}

/** `GET /v1/gates/{gate_id}/decisions/{decision_id}/exceptions`. */
export function exceptionsEndpoint({ gates, recorder, ...parts }: ExceptionEndpointParts): Endpoint {
  return endpoint({
    ...managed,
    method: 'GET',
    path: '/v1/gates/{gate_id}/decisions/{decision_id}/exceptions',
    operationId: 'findExceptions',
    load: 'job',
    tool: {
      name: 'find_exceptions',
      access: 'read',
      guide:
        'Start here to let a person in who was blocked or challenged. Apply one change after a person has confirmed it: POST …/rules is add_rule, PATCH is change_rule, POST …/entries is add_to_custom_list.',
    },
    summary: 'The smallest changes that would allow the subject of a decision; read-only',
    description:
      'Each change is a request to this API: an entry of a list or a rule for the address or the domain, or shadow mode for the rule that decides. Those that allow the fewest other decisions come first.',
    response: dataOf(exceptionsBody),
    errors: ['gate_not_found', 'decision_not_found'],
    async handle({ params }, { caller }) {
      const gate = await gates.read(caller, params.gate_id);
      await recorder.tryFlush();
      const decisionId = ulidIn(params.decision_id);
      const row = decisionId === null ? null : await parts.store.find(gate.id, decisionId);
      if (row === null) throw new AppError('decision_not_found');
      return findExceptions(caller, gate, row, parts);
    },
  });
}
