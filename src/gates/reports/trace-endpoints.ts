import { AppError } from '../../errors.ts';
import { dataOf } from '../../http/answers/wire-fields.ts';
import { type Caller, type Endpoint, endpoint } from '../../http/endpoint.ts';
import { createSlidingWindow } from '../../platform/sliding-window.ts';
import { creditsOf } from '../decisions/decision.ts';
import type { Gates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import type { PrepareBody } from '../rules/patterns-ahead.ts';
import { type TraceParts, traceGate } from './trace.ts';
import { traceBody } from './trace-body.ts';
import { type TraceRequest, traceInput } from './trace-input.ts';

const tracesPerSecond = 10;
/** Free traces contain as much as a decision: an account without credits must not use them as a substitute. */
const freeTracesPerMinute = 60;

/** Without all signals: each condition has the value it was tested on. */
function conciseTrace(response: unknown) {
  const { input, revision, action, matched_rule, rules, problems } = (response as { data: Record<string, unknown> })
    .data;
  return { data: { input, revision, action, matched_rule, rules, problems } };
}

export interface TraceEndpointParts extends TraceParts {
  readonly gates: Pick<Gates, 'read'>;
  readonly limitRate: LimitTraces;
  readonly prepareBody: PrepareBody;
}

/** Rejects a caller that traces too often. */
export type LimitTraces = (caller: Caller, about: TraceRequest['about']) => void;

export function createTraceLimit(monotonicMs: () => number): LimitTraces {
  const takePaid = createSlidingWindow({ limit: tracesPerSecond, windowMs: 1_000 }, monotonicMs);
  const takeFree = createSlidingWindow({ limit: freeTracesPerMinute, windowMs: 60_000 }, monotonicMs);
  return ({ accountId, userId }, about) => {
    const isFree = userId !== undefined && !('decisionId' in about);
    const retryAfterSeconds = (isFree ? takeFree : takePaid)(accountId);
    if (retryAfterSeconds > 0) throw new AppError('rate_limit_exceeded', { retryAfterSeconds });
  };
}

/** `POST /v1/gates/{gate_id}/trace`. */
export function traceEndpoint(parts: TraceEndpointParts): Endpoint {
  return endpoint({
    ...managed,
    method: 'POST',
    path: '/v1/gates/{gate_id}/trace',
    operationId: 'trace',
    tool: {
      name: 'trace_gate',
      access: 'read',
      concise: conciseTrace,
      guide:
        'Send decision_id to explain a logged decision with the rules of that time, or email or domain to see what the gate would decide now. If rules are sent, they are evaluated instead of its own.',
    },
    summary: 'Explain a decision: the result of each rule and condition',
    description:
      'Costs as much as the decision (1 credit, 3 with an ip), and nothing for a logged decision. At most ten requests per second. Nothing is logged or counted.',
    credits: ({ body: { about } }) => ('decisionId' in about ? 0 : creditsOf(about)),
    isFreeInConsole: true,
    // It may wait for facts as long as a decision.
    load: 'network',
    body: traceInput,
    prepareBody: parts.prepareBody,
    response: dataOf(traceBody),
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
    target: ({ params }, { caller }) => parts.gates.read(caller, params.gate_id),
    async handle({ body }, call, gate) {
      const { caller, stages } = call;
      stages.report();
      parts.limitRate(caller, body.about);
      return traceGate(gate, body, call, parts);
    },
  });
}
