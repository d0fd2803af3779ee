/** The event types that a webhook can subscribe to. */
export const eventTypes = [
  'domain.flagged.disposable',
  'domain.flagged.relay',
  'domain.flagged.spam',
  'credits.threshold',
  'gate.decision',
  'traffic.wave.began',
  'traffic.wave.ended',
] as const;
export type EventType = (typeof eventTypes)[number];

/** An event in one environment. Decisions are separate: decision-notifier.ts publishes them in batches. `data` has its wire format. */
export type WebhookEvent = (FlaggedDomain | CreditsThreshold | TrafficWave) & {
  /** When it happened. */
  readonly atMs: number;
  /**
   * Deduplicates announcements: while its deliveries are kept (30 days), each webhook gets the event once, even if several
   * processes announce it. Without a key every announcement is a separate event.
   */
  readonly key?: string;
};

/** A domain that the environment looked up before is now flagged. */
export interface FlaggedDomain {
  readonly type: 'domain.flagged.disposable' | 'domain.flagged.relay' | 'domain.flagged.spam';
  readonly data: { readonly domain: string };
}

/** The account has used a percentage of the month's credits. */
export interface CreditsThreshold {
  readonly type: 'credits.threshold';
  readonly data: {
    readonly threshold_percent: number;
    readonly used: number;
    readonly limit: number;
    readonly period_start: string;
    readonly period_end: string;
  };
}

/** Sign-ups that share a value arrive together, or have ended. */
export interface TrafficWave {
  readonly type: 'traffic.wave.began' | 'traffic.wave.ended';
  /** The wave as lists show it. */
  readonly data: Readonly<Record<string, unknown>>;
}
