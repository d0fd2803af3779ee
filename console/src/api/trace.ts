import type { GateTrace } from '@signalpost/client';
import { useMutation } from '@tanstack/react-query';
import { useClient } from './client.ts';

/** An action that a gate can decide. */
export type Action = GateTrace['action'];
/** A rule in a trace, with its conditions. */
export type TracedRule = GateTrace['rules'][number];
/** How a rule fared in a trace. */
export type Outcome = TracedRule['outcome'];
/** Whether a condition held, and on which value. */
export type TracedCondition = TracedRule['conditions'][number];
/** The signals that a gate saw, by subject; null for a subject that was not sent. */
export type SignalValues = GateTrace['signals'];

/** The subject of a decision: an address or a domain, and optionally an IP address. */
export type TraceInput = GateTrace['input'];

/** Traces a gate; free in the console, and writes no log entry. */
export function useTrace() {
  const { gates } = useClient();
  return useMutation({
    mutationFn: ({ gateId, input }: { gateId: string; input: TraceInput }) => gates.trace(gateId, input),
  });
}

/** An address or a domain as the input of a trace. */
export const traceInputOf = (subject: string): TraceInput =>
  subject.includes('@') ? { email: subject } : { domain: subject };
