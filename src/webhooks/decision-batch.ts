import { createHash } from 'node:crypto';
import { wireTime } from '../http/wire-time.ts';
import { ulidOf } from '../ulid.ts';

/** The part of a decision that receivers get. It contains no email address; receivers read that from the log by the id. */
export interface NotifiedDecision {
  readonly id: string;
  readonly gateId: string;
  readonly requestId: string;
  readonly action: string;
  readonly matchedRule: { readonly id: string; readonly name: string } | null;
  readonly createdAtMs: number;
}

/** A decision as JSON text; a batch is stored as such texts, separated by commas. */
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

/** The batch item that counts omitted decisions. */
export function omissionText(omitted: number): string {
  return JSON.stringify({ omitted });
}

/**
 * The event id of a batch that is complete: the same for every webhook that receives the same decisions. Webhooks with other filters
 * receive another batch, which must not look like a repetition.
 */
export function batchId(stored: string, createdAtMs: number): string {
  return ulidOf(createdAtMs, createHash('sha256').update(stored).digest());
}

/** The event data for receivers, as JSON: the stored text, or a batch of decisions parsed from the stored texts. */
export function dataText(eventType: string, stored: string): string {
  if (eventType !== 'gate.decision') return stored;
  const parts = JSON.parse(`[${stored}]`) as ({ readonly omitted: number } | { readonly decision_id: string })[];
  const decisions = parts.filter((part) => !('omitted' in part));
  const omitted = parts.reduce((sum, part) => sum + ('omitted' in part ? part.omitted : 0), 0);
  return JSON.stringify({ decisions, omitted });
}
