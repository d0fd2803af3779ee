import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { dataOf } from '../../http/page.ts';
import type { Gates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import type { PrepareBody } from '../rules/patterns-ahead.ts';
import { createOneAtATime } from './one-at-a-time.ts';
import { createPaced } from './paced.ts';
import { type TraceParts, traceGate } from './trace.ts';
import { traceBody, traceSchema } from './trace-body.ts';
import { traceInput } from './trace-input.ts';

/** A trace costs no credit but contains as much as a decision: an account without credits must not use it as a substitute. */
const tracesPerSecond = 10;
const waitingTraces = 10;
const retryAfterSeconds = 1;

/** What the endpoint of traces needs. */
export interface TraceEndpointParts extends TraceParts {
  readonly gates: Pick<Gates, 'read'>;
  readonly monotonicMs: () => number;
  readonly prepareBody: PrepareBody;
}

/** `POST /v1/gates/{gate_id}/trace`. */
export function traceEndpoint(parts: TraceEndpointParts): Endpoint {
  const paced = createPaced(tracesPerSecond, parts.monotonicMs);
  const oneAtATime = createOneAtATime(waitingTraces, retryAfterSeconds);
  return endpoint({
    ...managed,
    method: 'POST',
    path: '/v1/gates/{gate_id}/trace',
    operationId: 'trace',
    tool: {
      name: 'trace_gate',
      access: 'read',
      guide:
        'Send decision_id to explain a logged decision with the rules of that time, or email or domain to see what the gate would decide now. If rules are sent, they are evaluated instead of its own.',
    },
    summary: 'Explain a decision: the result of each rule and condition',
    description: 'Costs no credits; at most ten requests per second. Nothing is logged or counted.',
    body: traceInput,
    prepareBody: parts.prepareBody,
    response: dataOf(traceSchema),
    errors: [
      'validation_failed',
      'missing_input',
      'both_email_and_domain_provided',
      'invalid_email',
      'invalid_domain',
      'invalid_ip',
      'rule_limit_reached',
      'gate_not_found',
      'decision_not_found',
      'unsupported_media_type',
    ],
    async handle({ params, body }, call) {
      const { caller, stages } = call;
      stages.report();
      const gate = await parts.gates.read(caller, params.gate_id);
      paced(caller.accountId);
      const trace = await oneAtATime(caller.accountId, () => traceGate(gate, body, call, parts));
      return { data: traceBody(trace) };
    },
  });
}
