/** An address that is told of events of one environment. */
export interface WebhooksTable {
  id: string;
  account_id: string;
  environment: string;
  url: string;
  description: string | null;
  /** JSON: the types of events it is told of. */
  events: string;
  /** JSON: the gates whose decisions it is told of; empty for all. */
  gate_ids: string;
  /** JSON: the actions of the decisions it is told of; empty for all. */
  actions: string;
  format: string;
  enabled: number;
  /** Why the service switched it off; null while it is on, and when somebody else did. */
  disabled_reason: string | null;
  /** Since when no delivery has succeeded, by the clock of the database; null after a success. */
  failing_since: number | null;
  /** In the clear: every delivery is signed with it. */
  secret: string;
  /** The secret before, which signs too until `old_secret_until`. */
  old_secret: string | null;
  old_secret_until: number | null;
  created_at: number;
  updated_at: number;
}

/** An event on its way to one webhook: the outbox, and for a month the record of what became of it. */
export interface WebhookDeliveriesTable {
  id: string;
  webhook_id: string;
  /** The same for every webhook that is told of the event. */
  event_id: string;
  /** What the event is recognised by when it is announced again; null when it cannot be. */
  event_key: string | null;
  event_type: string;
  /** JSON. */
  data: string;
  created_at: number;
  /** `waiting`, `delivered` or `failed`. */
  state: string;
  attempts: number;
  /** While it waits: when it is to be tried, or when whoever tries it now is taken for dead. By the clock of the database. */
  due_at: number | null;
  /** What came of the last try. */
  attempted_at: number | null;
  duration_ms: number | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
}

/** A webhook that is gone and may have deliveries left. */
export interface RemovedWebhooksTable {
  id: string;
}
