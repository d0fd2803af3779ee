import { field, time as plainTime, timeOrNull, type WireFields, wireOf } from '../http/answers/wire-fields.ts';
import type { WireField } from '../http/answers/wire-object.ts';
import { schema } from '../input/schema.ts';
import { dataText } from './decision-batch.ts';
import { type Delivery, deliveryStates, type Webhook } from './webhook.ts';
import { plainFields, urlSchema } from './webhook-input.ts';

/** Responses omit longer event data. */
const maxShownData = 4_000;

const time = <T>(value: (source: T) => number): WireField<T> =>
  plainTime(value, { examples: ['2026-11-15T00:20:00+00:00'] });

/** A setting that a client writes has the schema of its input. */
const written = (name: keyof typeof plainFields, value: (webhook: Webhook) => unknown): WireField<Webhook> =>
  field(plainFields[name].schema, value);

const webhookFields: WireFields<Webhook> = {
  id: field(schema.string(), ({ id }) => id),
  url: field(urlSchema, ({ url }) => url),
  description: written('description', ({ description }) => description),
  events: written('events', ({ events }) => events),
  gate_ids: written('gate_ids', ({ gateIds }) => gateIds),
  actions: written('actions', ({ actions }) => actions),
  format: written('format', ({ format }) => format),
  enabled: written('enabled', ({ enabled }) => enabled),
  disabled_reason: field(
    schema.nullable(schema.string({ description: 'Why the service disabled the webhook' })),
    ({ disabledReason }) => disabledReason,
  ),
  failing_since: timeOrNull(({ failingSinceMs }) => failingSinceMs, {
    description: 'No delivery has succeeded since this time',
  }),
  old_secret_valid_until: timeOrNull(({ secrets }) => secrets.old?.untilMs ?? null, {
    description: 'Until this time the previous secret also signs deliveries',
  }),
  created_at: time(({ createdAtMs }) => createdAtMs),
  updated_at: time(({ updatedAtMs }) => updatedAtMs),
};

export const webhookBody = wireOf(webhookFields);

/** A webhook with its secret, for the responses that create one. */
export const webhookWithSecretBody = wireOf<Webhook>({
  ...webhookFields,
  secret: field(schema.string({ description: 'Shown only in this response' }), ({ secrets }) => secrets.current),
});

export const deliveryBody = wireOf<Delivery>({
  id: field(schema.string(), ({ id }) => id),
  event_id: field(
    schema.string({
      description:
        'The same for every webhook that receives the event and for every attempt; a batch of decisions gets it with its first attempt',
    }),
    ({ eventId }) => eventId,
  ),
  event: field(
    schema.string({ description: 'The event type; `webhook.test` for a test event' }),
    ({ eventType }) => eventType,
  ),
  data: field(
    schema.nullable({
      type: 'object',
      additionalProperties: true,
      description: 'The event data; null if it is longer than 4,000 characters',
    }),
    ({ eventType, data }) => (data.length > maxShownData ? null : JSON.parse(dataText(eventType, data))),
  ),
  state: field(schema.oneOf(deliveryStates), ({ state }) => state),
  attempts: field(schema.integer({ minimum: 0 }), ({ attempts }) => attempts),
  next_attempt_at: timeOrNull(
    ({ state, attempts, dueAtMs }) => (state === 'waiting' && attempts > 0 ? dueAtMs : null),
    { description: 'Only while a retry is pending' },
  ),
  attempted_at: timeOrNull(({ attemptedAtMs }) => attemptedAtMs, { description: 'Time of the last attempt' }),
  duration_ms: field(schema.nullable(schema.integer()), ({ durationMs }) => durationMs),
  response_status: field(schema.nullable(schema.integer()), ({ responseStatus }) => responseStatus),
  response_body: field(
    schema.nullable(schema.string({ description: 'The first 1,000 characters' })),
    ({ responseBody }) => responseBody,
  ),
  error: field(schema.nullable(schema.string({ description: 'Why the last attempt failed' })), ({ error }) => error),
  created_at: time(({ createdAtMs }) => createdAtMs),
});
