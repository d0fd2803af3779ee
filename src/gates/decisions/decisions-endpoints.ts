import { AppError } from '../../errors.ts';
import { type Call, type Endpoint, endpoint } from '../../http/endpoint.ts';
import { mapMaybePromise } from '../../platform/map-maybe-promise.ts';
import type { CompiledGate, GateCache } from '../gate-cache.ts';
import { gateIdIn } from '../gates.ts';
import { creditsOf, type Decide, type DecisionRequest, type DecisionVersion } from './decision.ts';
import { decisionBody } from './decision-body.ts';
import { decisionRequestInput } from './decision-request.ts';

interface Question {
  readonly params: { readonly gate_id: string };
  readonly body: DecisionRequest;
}

/** `POST /v1/gates/{gate_id}/decisions`, and the same under the older contract. */
export function decisionsEndpoints(cache: Pick<GateCache, 'find'>, decide: Decide): Endpoint[] {
  const existing = (gate: CompiledGate | null): CompiledGate => {
    if (gate === null) throw new AppError('gate_not_found');
    return gate;
  };
  const target = ({ params: { gate_id } }: Question, { caller }: Call): CompiledGate | Promise<CompiledGate> => {
    const id = gateIdIn(gate_id);
    const gate = id === null ? null : cache.find(caller, id);
    return mapMaybePromise(gate, existing);
  };
  const answer =
    (version: DecisionVersion) =>
    ({ body }: Question, { caller, requestId, stages }: Call, gate: CompiledGate) =>
      decide(gate, body, { caller, requestId, stages, version });
  const shared = {
    method: 'POST',
    plan: 'pro',
    load: 'light',
    credits: ({ body }: Question) => creditsOf(body),
    body: decisionRequestInput,
    response: decisionBody,
    errors: [
      'validation_failed',
      'missing_input',
      'both_email_and_domain_provided',
      'invalid_email',
      'invalid_domain',
      'invalid_ip',
      'gate_not_found',
      'unsupported_media_type',
    ],
    target,
  } as const;
  return [
    endpoint({
      ...shared,
      family: 'gates',
      path: '/v1/gates/{gate_id}/decisions',
      operationId: 'decide',
      summary: 'Decide about an address or a domain',
      description: 'Costs 1 credit, 3 with an ip.',
      handle: answer('1'),
    }),
    endpoint({
      ...shared,
      family: 'gates-v0',
      path: '/v0/gates/{gate_id}/decisions',
      operationId: 'decideV0',
      summary: 'Decide, with the older contract',
      description: 'Like v1, but with 400 instead of 422, and with rate_limit_exceeded for exhausted credits.',
      handle: answer('0.1'),
    }),
  ];
}
