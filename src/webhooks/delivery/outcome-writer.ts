import type { CourierParts } from './courier.ts';
import type { OutboxStore, Outcome } from './outbox-store.ts';

/** Writes what came of tries, all that have come meanwhile at once. */
export interface OutcomeWriter {
  add(outcome: Outcome): void;
  /** Resolves when everything added before is written; rejects when it could not be: then the lease runs out, and it is sent again. */
  settle(): Promise<void>;
}

/** A slow receiver must not keep what came of earlier tries from being seen. */
const longestWaitMs = 1_000;
/** A receiver that has accepted nothing for so long is told no more. */
const offAfterMs = 5 * 86_400_000;
const offReason = 'It was switched off because no delivery has succeeded for five days.';

/** Makes a writer; one write is under way at a time. */
export function createOutcomeWriter(
  store: Pick<OutboxStore, 'finish'>,
  { now, onResult, onSwitchedOff, onError }: Pick<CourierParts, 'now' | 'onResult' | 'onSwitchedOff' | 'onError'>,
): OutcomeWriter {
  let waiting: Outcome[] = [];
  let underWay: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;

  const write = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const outcomes = waiting;
    waiting = [];
    if (outcomes.length === 0) return;
    const switchedOff = await store.finish(outcomes, offAfterMs, offReason, now());
    for (const { state } of outcomes) {
      onResult(state === 'delivered' ? 'delivered' : state === 'waiting' ? 'retried' : 'given_up');
    }
    for (const id of switchedOff) onSwitchedOff(id);
  };
  const begin = (): Promise<void> => {
    const begun = write().finally(() => {
      if (underWay === begun) underWay = null;
    });
    underWay = begun;
    return begun;
  };
  const settle = (): Promise<void> => {
    if (underWay === null) return begin();
    // The write under way may have begun before the last outcomes came; all who wait for the next share it.
    const next = (): Promise<void> => underWay ?? begin();
    return underWay.then(next, next);
  };
  return {
    add(outcome) {
      waiting.push(outcome);
      timer ??= setTimeout(() => settle().catch(onError), longestWaitMs);
    },
    settle,
  };
}
