import type { EventType } from './events.ts';

/** How a delivery is written and signed; `usercheck` is for receivers that were made for UserCheck. */
export const formats = ['standard', 'usercheck'] as const;
export type Format = (typeof formats)[number];

/** What decisions can be told apart by. */
export const decidedActions = ['allow', 'block', 'challenge'] as const;
export type DecidedAction = (typeof decidedActions)[number];

/** What somebody chooses about a webhook. */
export interface WebhookSettings {
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly EventType[];
  /** Only decisions of these gates; all when there are none. */
  readonly gateIds: readonly string[];
  /** Only decisions with these actions; all when there are none. */
  readonly actions: readonly DecidedAction[];
  readonly format: Format;
  readonly enabled: boolean;
}

/** An address that is told of events. */
export interface Webhook extends WebhookSettings {
  readonly id: string;
  /** Why the service switched it off. */
  readonly disabledReason: string | null;
  /** Since when no delivery has succeeded. */
  readonly failingSinceMs: number | null;
  readonly secrets: Secrets;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What deliveries are signed with. */
export interface Secrets {
  readonly current: string;
  /** The one before, for a day after it was replaced. */
  readonly old: { readonly secret: string; readonly untilMs: number } | null;
}

/** What became of a delivery: `waiting` for its next try, `delivered`, or `failed` after the last one. */
export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** An event on its way to one webhook, and what came of the last try. */
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

/** The most webhooks an environment holds. */
export const maxWebhooks = 20;

/** How long a secret that was replaced still signs. */
export const oldSecretMs = 86_400_000;
