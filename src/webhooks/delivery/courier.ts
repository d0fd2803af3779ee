import { errorMessage } from '../../error-message.ts';
import { idle } from '../../platform/jobs.ts';
import { createPendingQueue } from '../../platform/pending-entries.ts';
import { createWriteBehind, type WriteBehind } from '../../platform/write-behind.ts';
import { batchId } from '../decision-batch.ts';
import { retryDelayMs } from './backoff.ts';
import { messageOf } from './message.ts';
import type { ClaimedDelivery, DueWebhook, OutboxStore, Outcome } from './outbox-store.ts';

/** Sends a message; rejects when there is no response. `retryAfterMs` is the receiver's `Retry-After`, 0 without one. */
export type Post = (
  url: string,
  message: { readonly body: string; readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) => Promise<{ readonly status: number; readonly body: Buffer; readonly retryAfterMs: number }>;

/** The result of an attempt. */
export type Result = 'delivered' | 'retried' | 'given_up';

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

/** Delivers the due events of the outbox to their receivers. */
export interface Courier {
  /** Outcomes that are not written yet. */
  readonly buffer: WriteBehind;
  /** Starts a worker for each webhook with due deliveries; resolves when all have started. */
  round(): Promise<unknown>;
  /** The longest time that a due delivery had waited at the last round. */
  lateMs(): number;
  /** Stops all workers; unsent deliveries stay in the outbox. */
  close(): Promise<void>;
}

/** Concurrent requests to one receiver. */
const perWebhook = 4;
/** Deliveries claimed together. Four at a time with a timeout of five seconds each take 40 s, which is less than the lease. */
const claimBatch = 32;
const leaseMs = 60_000;
const workerMs = 5_000;
/** Concurrent requests to the receivers of one account: slow ones must not take the slots of other accounts. */
const perAccount = 32;
const perProcess = 256;
const webhooksPerRound = 500;
/** How long requests in progress may take to finish when the process stops. */
const graceMs = 1_000;
const shownCharacters = 1_000;

/**
 * Each receiver has its own worker, so that a slow receiver delays no other. A failing receiver gets one request a round until
 * it accepts one.
 */
export function createCourier(parts: CourierParts): Courier {
  const workers = new Map<
    string,
    { readonly accountId: string; readonly slots: number; readonly done: Promise<void> }
  >();
  const stopping = new AbortController();
  const { buffer, deliverTo } = createDelivering(parts, stopping.signal);
  let lateMs = 0;

  const usedSlots = (accountId?: string): number =>
    [...workers.values()]
      .filter((worker) => accountId === undefined || worker.accountId === accountId)
      .reduce((sum, { slots }) => sum + slots, 0);

  const start = (webhook: DueWebhook): void => {
    const slots = webhook.isFailing ? 1 : perWebhook;
    if (workers.has(webhook.id)) return;
    if (usedSlots() + slots > perProcess || usedSlots(webhook.accountId) + slots > perAccount) return;
    const done = deliverTo(webhook, slots)
      .catch(parts.onError)
      .finally(() => workers.delete(webhook.id));
    workers.set(webhook.id, { accountId: webhook.accountId, slots, done });
  };

  return {
    buffer,
    async round() {
      if (stopping.signal.aborted) return undefined;
      const due = await parts.store.due(webhooksPerRound);
      lateMs = Math.max(0, ...due.map((webhook) => webhook.lateMs));
      for (const webhook of due) start(webhook);
      return due.length + workers.size === 0 ? idle : undefined;
    },
    lateMs: () => lateMs,
    async close() {
      const all = Promise.all([...workers.values()].map(({ done }) => done));
      const grace = setTimeout(() => stopping.abort(), graceMs);
      await all;
      clearTimeout(grace);
      stopping.abort();
    },
  };
}

/** Delivers to one receiver at a time, until `stopping`. */
function createDelivering(parts: CourierParts, stopping: AbortSignal) {
  const { store, monotonicMs } = parts;
  const writer = createOutcomeWriter(store, parts);
  const attempt = createAttempt(parts, stopping);

  /** Sends the claimed deliveries, `slots` at a time; releases the unsent ones when the process stops. */
  const sendAll = async (webhook: DueWebhook, claimed: readonly ClaimedDelivery[], slots: number): Promise<boolean> => {
    const queue = claimed[Symbol.iterator]();
    const unsent: ClaimedDelivery[] = [];
    let accepted = false;
    const worker = async (): Promise<void> => {
      for (const delivery of queue) {
        const outcome = stopping.aborted ? null : await attempt(webhook, delivery);
        // Stopping this process aborts requests, which is not a failure of the receiver.
        if (outcome === null || (stopping.aborted && outcome.status === null)) unsent.push(delivery);
        else {
          accepted ||= outcome.state === 'delivered';
          writer.add(outcome);
        }
      }
    };
    await Promise.all(Array.from({ length: slots }, worker));
    await writer.buffer.flush();
    if (unsent.length > 0) await store.release(unsent);
    return accepted;
  };

  /** Delivers batches while the receiver accepts them, for at most five seconds: then the next round reads its settings again. */
  const deliverTo = async (webhook: DueWebhook, slots: number): Promise<void> => {
    const wanted = webhook.isFailing ? 1 : claimBatch;
    const endsAtMs = monotonicMs() + workerMs;
    while (!stopping.aborted && monotonicMs() < endsAtMs) {
      const claimed = await store.claim(webhook.id, wanted, leaseMs);
      if (claimed.length === 0) return;
      const accepted = await sendAll(webhook, claimed, slots);
      if (!accepted || webhook.isFailing || claimed.length < wanted) return;
    }
  };

  return { buffer: writer.buffer, deliverTo };
}

/** One attempt to deliver; `stopping` aborts its request. */
function createAttempt({ post, now, monotonicMs, random }: CourierParts, stopping: AbortSignal) {
  return async (webhook: DueWebhook, claimed: ClaimedDelivery): Promise<Outcome> => {
    const delivery = withEventId(claimed);
    const startedMs = monotonicMs();
    const attemptedAtMs = now();
    const send = async () => {
      const message = messageOf(delivery, webhook.format, webhook.secrets, attemptedAtMs);
      return await post(webhook.url, { ...message, signal: stopping });
    };
    const response = await send().catch((error: unknown) => ({
      status: null,
      body: null,
      retryAfterMs: 0,
      error: errorMessage(error),
    }));
    const isDelivered = response.status !== null && response.status >= 200 && response.status < 300;
    const attempted = {
      webhookId: webhook.id,
      delivery,
      attemptedAtMs,
      durationMs: Math.round(monotonicMs() - startedMs),
      status: response.status,
      body: response.body === null ? null : shownText(response.body),
    };
    if (isDelivered) return { ...attempted, state: 'delivered', delayMs: null, error: null };
    const error = 'error' in response ? response.error : `The receiver answered with status ${response.status}`;
    const retryAfterMs = response.status === 429 || response.status === 503 ? response.retryAfterMs : 0;
    // The user waits for the result of a test event, so a later retry is useless.
    const isTest = delivery.eventType === 'webhook.test';
    const delayMs = isTest ? null : retryDelayMs(delivery.attempts + 1, random, retryAfterMs);
    return {
      ...attempted,
      state: delayMs === null ? 'failed' : 'waiting',
      delayMs,
      error: error.slice(0, shownCharacters),
    };
  };
}

/** A batch of decisions is complete once it is claimed. */
function withEventId(delivery: ClaimedDelivery): ClaimedDelivery {
  const { eventType, data, createdAtMs } = delivery;
  return eventType === 'gate.decision' ? { ...delivery, eventId: batchId(data, createdAtMs) } : delivery;
}

/** The beginning of a response as text that both databases can store. */
function shownText(body: Buffer): string {
  return body.toString('utf8').replaceAll('\0', '\uFFFD').slice(0, shownCharacters).toWellFormed();
}

/** Writes the outcomes of attempts in batches: outcomes that arrive during one write go into the next. */
interface OutcomeWriter {
  readonly buffer: WriteBehind;
  add(outcome: Outcome): void;
}

/** A webhook is disabled when its receiver has accepted nothing for this long. */
const offAfterMs = 5 * 86_400_000;
const offReason = 'It was switched off because no delivery has succeeded for five days.';

/** Outcomes that storage cannot accept stay pending. When their leases expire meanwhile, the events are sent again. */
function createOutcomeWriter(
  store: Pick<OutboxStore, 'finish'>,
  { now, onResult, onSwitchedOff }: Pick<CourierParts, 'now' | 'onResult' | 'onSwitchedOff'>,
): OutcomeWriter {
  const pending = createPendingQueue<Outcome>();
  const buffer = createWriteBehind<readonly Outcome[]>({
    name: 'webhook_outcomes',
    pending,
    batchSize: 1_000,
    // Outcomes are visible after this time even while a slow receiver delays the rest of its batch.
    flushEveryMs: 1_000,
    failure: 'outcomes of webhook deliveries are not written yet',
    async write(outcomes) {
      const switchedOff = await store.finish(outcomes, offAfterMs, offReason, now());
      for (const { state } of outcomes) {
        onResult(state === 'delivered' ? 'delivered' : state === 'waiting' ? 'retried' : 'given_up');
      }
      for (const id of switchedOff) onSwitchedOff(id);
    },
  });
  return { buffer, add: pending.add };
}
