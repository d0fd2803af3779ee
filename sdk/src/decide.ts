import { type ApiPromise, apiPromise, mapped } from './api-promise.ts';
import type { AnswerOf, BodyOf, Call } from './call.ts';
import {
  AnswerError,
  ConnectionError,
  PermissionError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  type SignalpostError,
  TimeoutError,
} from './errors.ts';
import type { CallOptions } from './settings.ts';

/** The input of a decision: an `email` or a `domain`, and optionally the visitor's `ip` and `device`. */
export interface DecisionInput extends BodyOf<'decide'> {}
/** The actions of a gate. */
export type Action = AnswerOf<'decide'>['decision']['action'];
/** A decision and its signals. */
export interface Decision extends AnswerOf<'decide'> {
  /** The same as `decision.action`. */
  action: Action;
}

/** The decision the caller chose for an outage. */
export interface OutageDecision {
  /** The same as `decision.action`. */
  action: Action;
  input: DecisionInput;
  decision: { action: Action; matched_rule: null };
  signals: null;
  meta: null;
  /** Why the service did not decide. */
  outage: SignalpostError;
}

/** Options of a decision. */
export interface DecideOptions extends CallOptions {
  /** The action to take when the service is unreachable; without it the call throws. */
  readonly failOpen?: Action | undefined;
}

const outages = [ConnectionError, TimeoutError, AnswerError, ServerError, RateLimitError, QuotaExceededError];

/** Whether the service failed, as opposed to rejecting the request or its key. */
export function isOutage(error: unknown): error is SignalpostError {
  if (error instanceof PermissionError) return error.body === null;
  return outages.some((Outage) => error instanceof Outage);
}

/** The call that makes a decision. */
export function decideCall(call: Call) {
  function decide(
    gateId: string,
    input: DecisionInput,
    options?: CallOptions & { failOpen?: undefined },
  ): ApiPromise<Decision>;
  function decide(
    gateId: string,
    input: DecisionInput,
    options: DecideOptions,
  ): ApiPromise<Decision | OutageDecision, Response | null>;
  function decide(
    gate_id: string,
    input: DecisionInput,
    options: DecideOptions = {},
  ): ApiPromise<Decision> | ApiPromise<Decision | OutageDecision, Response | null> {
    const decided = mapped(call('decide', { path: { gate_id }, body: input }, options), withAction);
    const { failOpen } = options;
    if (failOpen === undefined) return decided;
    const orOutage = decided.withResponse().catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      return { data: outageDecision(input, failOpen, error), response: null, requestId: error.requestId };
    });
    return apiPromise<Decision | OutageDecision, Response | null>(orOutage);
  }
  return decide;
}

const outageDecision = (input: DecisionInput, action: Action, outage: SignalpostError): OutageDecision => ({
  action,
  input,
  decision: { action, matched_rule: null },
  signals: null,
  meta: null,
  outage,
});

/** Programs read `result.action`: without the property, a check for `block` would never hold. */
const withAction = (answer: AnswerOf<'decide'>): Decision => ({ action: answer.decision.action, ...answer });
