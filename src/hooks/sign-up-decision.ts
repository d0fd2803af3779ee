import type { Call } from '../http/endpoint.ts';
import type { CallStages } from '../http/timing/stage-times.ts';
import type { Verdict } from './formats/format.ts';
import type { Hook } from './hook.ts';

/** A sign-up with a valid address. */
export interface SignUpQuestion {
  readonly email: string;
  /** A public IP address; null when there is none. */
  readonly ip: string | null;
}

/** A gate's decision on a sign-up. */
export interface SignUpDecision {
  readonly action: NonNullable<Verdict['action']>;
  /** Null for a decision that is not logged. */
  readonly decisionId: string | null;
  /** The message of the rule that decided. */
  readonly message: string | null;
}

export interface DecisionLimits {
  readonly requestId: string;
  readonly stages: CallStages;
  /** After this time the gate decides with the known facts. */
  readonly withinMs: number;
  /** Whether the call has its response already; the decision must have no effect then. */
  isLate(): boolean;
}

/** Asks the gate of a hook, within the throughput and credits of its account. Throws `AppError` when it cannot decide. */
export type DecideSignUp = (
  hook: Pick<Hook, 'id' | 'owner' | 'gateId'>,
  question: SignUpQuestion,
  limits: DecisionLimits,
) => SignUpDecision | Promise<SignUpDecision>;

/** Asks the gate without logging or counting; throws `AppError` when it cannot decide, or too often. */
export type TraceSignUp = (gateId: string, question: SignUpQuestion, call: Call) => Promise<SignUpDecision>;
