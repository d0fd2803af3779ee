import { wireTime } from '../http/wire-time.ts';
import { type JsonSchema, schema } from '../input/schema.ts';
import { dataText } from './decision-batch.ts';
import { type Delivery, deliveryStates, type Webhook } from './webhook.ts';
import { plainFields, urlSchema } from './webhook-input.ts';

/** Responses omit longer event data. */
const maxShownData = 4_000;

const time = schema.string({ examples: ['2026-11-15T00:20:00+00:00'] });
const timeOrNull = (description: string): JsonSchema => schema.nullable(schema.string({ description }));

const webhookFields = {
  id: schema.string(),
  url: urlSchema,
  ...Object.fromEntries(Object.entries(plainFields).map(([name, input]) => [name, input.schema])),
  disabled_reason: schema.nullable(schema.string({ description: 'Why the service disabled the webhook' })),
  failing_since: timeOrNull('No delivery has succeeded since this time'),
  old_secret_valid_until: timeOrNull('Until this time the previous secret also signs deliveries'),
  created_at: time,
  updated_at: time,
};

export const webhookSchema = schema.object(webhookFields);

/** A webhook with its secret, for the responses that create one. */
export const webhookWithSecretSchema = schema.object({
  ...webhookFields,
  secret: schema.string({ description: 'Shown only in this response' }),
});

export function webhookBody(webhook: Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: webhook.events,
    gate_ids: webhook.gateIds,
    actions: webhook.actions,
    format: webhook.format,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason,
    failing_since: timeOf(webhook.failingSinceMs),
    old_secret_valid_until: timeOf(webhook.secrets.old?.untilMs ?? null),
    created_at: wireTime(webhook.createdAtMs),
    updated_at: wireTime(webhook.updatedAtMs),
  };
}

export function webhookWithSecretBody(webhook: Webhook) {
  return { ...webhookBody(webhook), secret: webhook.secrets.current };
}

export const deliverySchema = schema.object({
  id: schema.string(),
  event_id: schema.string({
    description:
      'The same for every webhook that receives the event and for every attempt; a batch of decisions gets it with its first attempt',
  }),
  event: schema.string({ description: 'The event type; `webhook.test` for a test event' }),
  data: schema.nullable({
    type: 'object',
    additionalProperties: true,
    description: 'The event data; null if it is longer than 4,000 characters',
  }),
  state: schema.oneOf(deliveryStates),
  attempts: schema.integer({ minimum: 0 }),
  next_attempt_at: timeOrNull('Only while a retry is pending'),
  attempted_at: timeOrNull('Time of the last attempt'),
  duration_ms: schema.nullable(schema.integer()),
  response_status: schema.nullable(schema.integer()),
  response_body: schema.nullable(schema.string({ description: 'The first 1,000 characters' })),
  error: schema.nullable(schema.string({ description: 'Why the last attempt failed' })),
  created_at: time,
});

export function deliveryBody(delivery: Delivery) {
  const { state, attempts, dueAtMs } = delivery;
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event: delivery.eventType,
    data: delivery.data.length > maxShownData ? null : JSON.parse(dataText(delivery.eventType, delivery.data)),
    state,
    attempts,
    next_attempt_at: state === 'waiting' && attempts > 0 ? timeOf(dueAtMs) : null,
    attempted_at: timeOf(delivery.attemptedAtMs),
    duration_ms: delivery.durationMs,
    response_status: delivery.responseStatus,
    response_body: delivery.responseBody,
    error: delivery.error,
    created_at: wireTime(delivery.createdAtMs),
  };
}

function timeOf(epochMs: number | null): string | null {
  return epochMs === null ? null : wireTime(epochMs);
}
