import { errorMessage } from '../../error-message.ts';
import { retryDelayMs } from './backoff.ts';
import { messageOf } from './message.ts';
import type { ClaimedDelivery, DueWebhook, OutboxStore, Outcome } from './outbox-store.ts';
import { createOutcomeWriter } from './outcome-writer.ts';

/** Sends a message; rejects when there is no answer. `retryAfterMs` is how long the receiver asks to be left alone, 0 when it does not. */
export type Post = (
  url: string,
  message: { readonly body: string; readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) => Promise<{ readonly status: number; readonly body: Buffer; readonly retryAfterMs: number }>;

/** What a try was to the outbox. */
export type Result = 'delivered' | 'retried' | 'given_up';

/** What delivering needs. */
export interface CourierParts {
  readonly store: OutboxStore;
  readonly post: Post;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly random: () => number;
  readonly onResult: (result: Result) => void;
  readonly onSwitchedOff: (webhookId: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Takes what is due out of the outbox and brings it to its receivers. */
export interface Courier {
  /** Looks for what is due and begins with it; resolves when everything has begun. */
  round(): Promise<void>;
  /** How long what is due has been waiting at most, as of the last round. */
  lateMs(): number;
  /** Ends what goes on; what was not sent by then stays in the outbox. */
  close(): Promise<void>;
}

/** Requests at a time to one receiver. */
const perWebhook = 4;
/** Deliveries taken at a time; tried by fours, five seconds each, they are done well within their lease. */
const claimedAtOnce = 32;
const leaseMs = 60_000;
const errandMs = 5_000;
/** Receivers of one account that never answer must leave room for those of others. */
const perAccount = 32;
const inAll = 256;
const webhooksAtOnce = 500;
/** How long requests under way may take to end when the process does. */
const graceMs = 1_000;
const shownCharacters = 1_000;

/**
 * Several receivers are served side by side, each by an errand of its own: a slow one keeps nobody waiting but itself. One that fails
 * gets one request at a time, and one in a round, until it accepts something.
 */
export function createCourier(parts: CourierParts): Courier {
  const { store, post, now, monotonicMs } = parts;
  const writer = createOutcomeWriter(store, parts);
  const errands = new Map<
    string,
    { readonly accountId: string; readonly slots: number; readonly done: Promise<void> }
  >();
  const ending = new AbortController();
  let lateMs = 0;

  const tryOnce = async (webhook: DueWebhook, delivery: ClaimedDelivery): Promise<Outcome> => {
    const startedMs = monotonicMs();
    const attemptedAtMs = now();
    const message = messageOf(delivery, webhook.format, webhook.secrets, attemptedAtMs);
    const answer = await post(webhook.url, { ...message, signal: ending.signal }).catch((error: unknown) => ({
      status: null,
      body: null,
      retryAfterMs: 0,
      error: errorMessage(error),
    }));
    const isDelivered = answer.status !== null && answer.status >= 200 && answer.status < 300;
    const tried = {
      webhookId: webhook.id,
      delivery,
      attemptedAtMs,
      durationMs: Math.round(monotonicMs() - startedMs),
      status: answer.status,
      body: answer.body === null ? null : shownText(answer.body),
    };
    if (isDelivered) return { ...tried, state: 'delivered', delayMs: null, error: null };
    const error = 'error' in answer ? answer.error : `The receiver answered with status ${answer.status}`;
    // Somebody waits for a test; it would be no use later.
    const askedMs = answer.status === 429 || answer.status === 503 ? answer.retryAfterMs : 0;
    const isTest = delivery.eventType === 'webhook.test';
    const delayMs = isTest ? null : retryDelayMs(delivery.attempts + 1, parts.random, askedMs);
    return {
      ...tried,
      state: delayMs === null ? 'failed' : 'waiting',
      delayMs,
      error: error.slice(0, shownCharacters),
    };
  };

  /** Sends what was claimed, so many at a time; what is left when the process ends is given back. */
  const sendAll = async (webhook: DueWebhook, claimed: readonly ClaimedDelivery[], slots: number): Promise<boolean> => {
    const waiting = claimed[Symbol.iterator]();
    const unsent: ClaimedDelivery[] = [];
    let accepted = false;
    const line = async (): Promise<void> => {
      for (const delivery of waiting) {
        const outcome = ending.signal.aborted ? null : await tryOnce(webhook, delivery);
        // A request that was cut off by the end of this process is not the receiver's failure.
        if (outcome === null || (ending.signal.aborted && outcome.status === null)) unsent.push(delivery);
        else {
          accepted ||= outcome.state === 'delivered';
          writer.add(outcome);
        }
      }
    };
    await Promise.all(Array.from({ length: slots }, line));
    await writer.settle();
    if (unsent.length > 0) await store.release(unsent);
    return accepted;
  };

  /** Goes on while there is more, but not for long with what was known of the webhook when it began. */
  const errand = async (webhook: DueWebhook, slots: number): Promise<void> => {
    const wanted = webhook.isFailing ? 1 : claimedAtOnce;
    const endsAtMs = monotonicMs() + errandMs;
    while (!ending.signal.aborted && monotonicMs() < endsAtMs) {
      const claimed = await store.claim(webhook.id, wanted, leaseMs);
      if (claimed.length === 0) return;
      const accepted = await sendAll(webhook, claimed, slots);
      if (!accepted || webhook.isFailing || claimed.length < wanted) return;
    }
  };

  const slotsIn = (accountId?: string): number =>
    [...errands.values()]
      .filter((one) => accountId === undefined || one.accountId === accountId)
      .reduce((sum, { slots }) => sum + slots, 0);

  const begin = (webhook: DueWebhook): void => {
    const slots = webhook.isFailing ? 1 : perWebhook;
    if (errands.has(webhook.id)) return;
    if (slotsIn() + slots > inAll || slotsIn(webhook.accountId) + slots > perAccount) return;
    const done = errand(webhook, slots)
      .catch(parts.onError)
      .finally(() => errands.delete(webhook.id));
    errands.set(webhook.id, { accountId: webhook.accountId, slots, done });
  };

  return {
    async round() {
      if (ending.signal.aborted) return;
      const due = await store.due(webhooksAtOnce);
      lateMs = Math.max(0, ...due.map((webhook) => webhook.lateMs));
      for (const webhook of due) begin(webhook);
    },
    lateMs: () => lateMs,
    async close() {
      const all = Promise.all([...errands.values()].map(({ done }) => done));
      const patience = setTimeout(() => ending.abort(), graceMs);
      await all;
      clearTimeout(patience);
      ending.abort();
    },
  };
}

/** The beginning of an answer as text that every database keeps. */
function shownText(body: Buffer): string {
  return body.toString('utf8').replaceAll('\0', '\uFFFD').slice(0, shownCharacters).toWellFormed();
}
