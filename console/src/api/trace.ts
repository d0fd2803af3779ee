import { useMutation } from '@tanstack/react-query';
import { useEnvironment } from './environment.ts';
import { request } from './request.ts';

/** What a gate can say. */
export type Action = 'allow' | 'block' | 'challenge';

/** What became of a rule. */
export type Outcome =
  | 'decided'
  | 'overruled'
  | 'matched_shadow'
  | 'not_matched'
  | 'unknown'
  | 'not_reached'
  | 'disabled'
  | 'invalid';

/** Whether a condition held, and on what value. */
export interface TracedCondition {
  readonly field: string;
  readonly operator: string;
  readonly holds: boolean | null;
  readonly value: unknown;
  readonly reason: string | null;
}

/** A rule and its conditions, looked at one by one. */
export interface TracedRule {
  readonly id: string | null;
  readonly name: string;
  readonly action: Action;
  readonly mode: 'live' | 'shadow';
  readonly outcome: Outcome;
  readonly conditions: readonly TracedCondition[];
}

/** What the gate saw, by subject; null is a subject that was not sent. */
export type SignalValues = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;

/** Why a gate answers what it answers. */
export interface Trace {
  readonly revision: number | null;
  readonly signals: SignalValues;
  readonly action: Action;
  readonly matched_rule: { readonly id: string | null; readonly name: string; readonly message: string | null } | null;
  readonly rules: readonly TracedRule[];
}

/** What a gate is asked about: an address or a domain, and an IP address if there is one. */
export type TraceInput = { readonly email?: string; readonly domain?: string; readonly ip?: string };

/** Asks a gate without a credit and without a trace in the log. */
export function useTrace() {
  const environment = useEnvironment();
  return useMutation({
    mutationFn: async ({ gateId, input }: { gateId: string; input: TraceInput }) =>
      (await request<{ data: Trace }>('POST', `/${environment}/v1/gates/${gateId}/trace`, { body: input })).data,
  });
}

/** An address or a domain as what a gate is asked about. */
export const traceInputOf = (subject: string): TraceInput =>
  subject.includes('@') ? { email: subject } : { domain: subject };
