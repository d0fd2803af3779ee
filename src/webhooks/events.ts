/** What a webhook can be told of. */
export const eventTypes = [
  'domain.flagged.disposable',
  'domain.flagged.relay',
  'domain.flagged.spam',
  'credits.threshold',
  'gate.decision',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Something that happened in one environment and is told of at once (decisions go in batches: decision-teller.ts); `data` is what receivers are told, in the words of the wire. */
export type WebhookEvent = (FlaggedDomain | CreditsThreshold) & {
  /** When it happened. */
  readonly atMs: number;
  /**
   * What it is recognised by when it is announced again: while its deliveries are kept (30 days), each webhook is told of it
   * once, whichever process announces it, and how often. Without a key every announcement is an event of its own.
   */
  readonly key?: string;
};

/** A domain that was seen in the environment has become something it was not. */
export interface FlaggedDomain {
  readonly type: 'domain.flagged.disposable' | 'domain.flagged.relay' | 'domain.flagged.spam';
  readonly data: { readonly domain: string };
}

/** So much of the month's credits is used. */
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
