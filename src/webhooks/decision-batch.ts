import { wireTime } from '../http/wire-time.ts';

/** A decision as far as receivers are told of it: no address of anybody, which is read from the log by the id. */
export interface NotifiedDecision {
  readonly id: string;
  readonly gateId: string;
  readonly requestId: string;
  readonly action: string;
  readonly matchedRule: { readonly id: string; readonly name: string } | null;
  readonly createdAtMs: number;
}

/** A decision as text of JSON; batches are kept as such texts with commas between them. */
export function decisionText({ id, gateId, requestId, action, matchedRule, createdAtMs }: NotifiedDecision): string {
  return JSON.stringify({
    decision_id: id,
    gate_id: gateId,
    request_id: requestId,
    action,
    matched_rule: matchedRule === null ? null : { id: matchedRule.id, name: matchedRule.name },
    created_at: wireTime(createdAtMs),
  });
}

/** Says in a batch that so many decisions are not in it. */
export function omissionText(omitted: number): string {
  return JSON.stringify({ omitted });
}

/** What a receiver is told of an event, as JSON: what was kept, or the batch of decisions that was put together from texts. */
export function dataText(eventType: string, kept: string): string {
  if (eventType !== 'gate.decision') return kept;
  const parts = JSON.parse(`[${kept}]`) as ({ readonly omitted: number } | { readonly decision_id: string })[];
  const decisions = parts.filter((part) => !('omitted' in part));
  const omitted = parts.reduce((sum, part) => sum + ('omitted' in part ? part.omitted : 0), 0);
  return JSON.stringify({ decisions, omitted });
}
