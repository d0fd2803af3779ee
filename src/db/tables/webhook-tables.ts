/** A URL that is notified of an environment's events. */
export interface WebhooksTable {
  id: string;
  account_id: string;
  environment: string;
  url: string;
  description: string | null;
  /** JSON: the event types it receives. */
  events: string;
  /** JSON: the gates whose decisions it receives; empty for all. */
  gate_ids: string;
  /** JSON: the actions of the decisions it receives; empty for all. */
  actions: string;
  format: string;
  enabled: number;
  /** Why the service disabled it; null while it is enabled, and when a user disabled it. */
  disabled_reason: string | null;
  /** The start of the current run of failures, by the clock of the database; null after a success. */
  failing_since: number | null;
  /** Encrypted, like the previous one. */
  secret: string;
  /** The previous secret, which signs too until `old_secret_until`. */
  old_secret: string | null;
  old_secret_until: number | null;
  created_at: number;
  updated_at: number;
}

/** The delivery of an event to one webhook: the outbox, and for a month the record of its outcome. */
export interface WebhookDeliveriesTable {
  id: string;
  webhook_id: string;
  /** The same for every webhook that receives the event. A batch of decisions gets its own with the first attempt. */
  event_id: string;
  /** Identifies an event that is published again; null when it cannot be. */
  event_key: string | null;
  event_type: string;
  /** JSON. */
  data: string;
  created_at: number;
  /** `waiting`, `delivered` or `failed`. */
  state: string;
  attempts: number;
  /** While it is pending: when it is due, or when the lease of the process that attempts it expires. By the clock of the database. */
  due_at: number | null;
  /** The outcome of the last attempt. */
  attempted_at: number | null;
  duration_ms: number | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
}

/** A removed webhook that may have deliveries left. */
export interface RemovedWebhooksTable {
  id: string;
}
