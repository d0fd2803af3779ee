import { AppError } from '../errors.ts';
import { creditsOf } from '../gates/decisions/decision.ts';
import { questionOf } from '../gates/decisions/decision-request.ts';
import type { GatesFeature } from '../gates/feature.ts';
import type { DecideSignUp, TraceSignUp } from '../hooks/sign-up-decision.ts';
import type { Admission } from '../http/admission.ts';
import type { Caller, Owner } from '../http/endpoint.ts';
import { countHighPriority } from '../platform/low-priority.ts';

/** Dependencies of decisions for hooks. */
export interface SignUpDecisionParts {
  readonly callerOf: (owner: Owner) => Caller | null | Promise<Caller | null>;
  readonly admission: Pick<Admission, 'takeToken' | 'reserveCredits'>;
  readonly gates: Pick<GatesFeature, 'findGate' | 'decide'>;
}

/** Decides for hooks as `POST /v1/gates/{gate_id}/decisions` does for keys: the same throughput, plan, credits, log and statistics. */
export function createSignUpDecisions({ callerOf, admission, gates }: SignUpDecisionParts): DecideSignUp {
  return async ({ id: hookId, owner, gateId }, { email, ip }, { withinMs, isLate, requestId, stages }) => {
    countHighPriority();
    const caller = await callerOf(owner);
    if (caller === null) throw new AppError('gate_not_found');
    if (!(await admission.takeToken(caller)).allowed) throw new AppError('rate_limit_exceeded');
    if (!caller.plan.pro) throw new AppError('pro_only');
    const gate = await gates.findGate(caller, gateId);
    if (gate === null) throw new AppError('gate_not_found');
    const request = { ...questionOf(ip === null ? { email } : { email, ip }), withinMs };
    const credits = creditsOf(request);
    const reserved = await admission.reserveCredits(caller, credits);
    if (!reserved.granted) throw new AppError('quota_exceeded');
    try {
      const context = { caller, requestId, stages, version: '1', hookId, isLate } as const;
      const { id, action, matchedRule } = await gates.decide(gate, request, context);
      return { action, decisionId: id, message: matchedRule?.message ?? null };
    } catch (error) {
      reserved.release(credits);
      throw error;
    }
  };
}

/** Traces for the tests of hooks, within the rate limit of traces. */
export function createSignUpTraces(gates: Pick<GatesFeature, 'trace'>): TraceSignUp {
  return async (gateId, { email, ip }, call) => {
    const { action, matchedRule } = await gates.trace(
      gateId,
      questionOf(ip === null ? { email } : { email, ip }),
      call,
    );
    return { action, decisionId: null, message: matchedRule?.message ?? null };
  };
}
