import type { CourierParts } from './courier.ts';
import type { OutboxStore, Outcome } from './outbox-store.ts';

/** Writes the outcomes of attempts in batches: all that arrive during one write go into the next. */
export interface OutcomeWriter {
  add(outcome: Outcome): void;
  /** Resolves when all earlier outcomes are written; rejects when a write fails. Then the leases expire and the events are sent again. */
  flush(): Promise<void>;
}

/** Outcomes are visible after this time even while a slow receiver holds up the rest of the batch. */
const longestWaitMs = 1_000;
/** A webhook is switched off when its receiver has accepted nothing for this long. */
const offAfterMs = 5 * 86_400_000;
const offReason = 'It was switched off because no delivery has succeeded for five days.';

/** Creates a writer, which has at most one write in progress. */
export function createOutcomeWriter(
  store: Pick<OutboxStore, 'finish'>,
  { now, onResult, onSwitchedOff, onError }: Pick<CourierParts, 'now' | 'onResult' | 'onSwitchedOff' | 'onError'>,
): OutcomeWriter {
  let pending: Outcome[] = [];
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;

  const write = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const outcomes = pending;
    pending = [];
    if (outcomes.length === 0) return;
    const switchedOff = await store.finish(outcomes, offAfterMs, offReason, now());
    for (const { state } of outcomes) {
      onResult(state === 'delivered' ? 'delivered' : state === 'waiting' ? 'retried' : 'given_up');
    }
    for (const id of switchedOff) onSwitchedOff(id);
  };
  const startWrite = (): Promise<void> => {
    const started = write().finally(() => {
      if (writing === started) writing = null;
    });
    writing = started;
    return started;
  };
  const flush = (): Promise<void> => {
    if (writing === null) return startWrite();
    // The write in progress may have started before the last outcomes arrived. All callers that wait for the next one share it.
    const next = (): Promise<void> => writing ?? startWrite();
    return writing.then(next, next);
  };
  return {
    add(outcome) {
      pending.push(outcome);
      timer ??= setTimeout(() => flush().catch(onError), longestWaitMs);
    },
    flush,
  };
}
