import type { EventType } from './events.ts';

/** How a delivery is written and signed; `usercheck` is for receivers written for UserCheck. */
export const formats = ['standard', 'usercheck'] as const;
export type Format = (typeof formats)[number];

/** The actions by which a webhook can filter decisions. */
export const decidedActions = ['allow', 'block', 'challenge'] as const;
export type DecidedAction = (typeof decidedActions)[number];

/** The settings that users choose for a webhook. */
export interface WebhookSettings {
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly EventType[];
  /** Only decisions of these gates; all when empty. */
  readonly gateIds: readonly string[];
  /** Only decisions with these actions; all when empty. */
  readonly actions: readonly DecidedAction[];
  readonly format: Format;
  readonly enabled: boolean;
}

/** A URL that receives events. */
export interface Webhook extends WebhookSettings {
  readonly id: string;
  /** Why the service disabled it. */
  readonly disabledReason: string | null;
  /** No delivery has succeeded since this time. */
  readonly failingSinceMs: number | null;
  readonly secrets: Secrets;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The secrets that sign deliveries. */
export interface Secrets {
  /** Null when it was encrypted with another key than this service has. */
  readonly current: string | null;
  /** The previous secret, for a day after its replacement. */
  readonly old: { readonly secret: string | null; readonly untilMs: number } | null;
}

/** The state of a delivery: `waiting` for its next attempt, `delivered`, or `failed` after the last attempt. */
export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** An event for one webhook, and the result of the last attempt. */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly data: string;
  readonly createdAtMs: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly dueAtMs: number | null;
  readonly attemptedAtMs: number | null;
  readonly durationMs: number | null;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
}

/** The maximum number of webhooks in an environment. */
export const maxWebhooks = 20;

/** How long a replaced secret still signs deliveries. */
export const oldSecretMs = 86_400_000;
