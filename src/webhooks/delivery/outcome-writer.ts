import type { CourierParts } from './courier.ts';
import type { OutboxStore, Outcome } from './outbox-store.ts';

/** Writes what came of tries, all that have come meanwhile at once. */
export interface OutcomeWriter {
  add(outcome: Outcome): void;
  /** Resolves when everything added before is written; rejects when it could not be: then the lease runs out, and it is sent again. */
  settle(): Promise<void>;
}

/** A receiver that has accepted nothing for so long is told no more. */
const offAfterMs = 5 * 86_400_000;
const offReason = 'It was switched off because no delivery has succeeded for five days.';

/** Makes a writer; one write is under way at a time. */
export function createOutcomeWriter(
  store: Pick<OutboxStore, 'finish'>,
  { now, onResult, onSwitchedOff }: Pick<CourierParts, 'now' | 'onResult' | 'onSwitchedOff'>,
): OutcomeWriter {
  let waiting: Outcome[] = [];
  let underWay: Promise<void> | null = null;

  const write = async (): Promise<void> => {
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
  return {
    add: (outcome) => void waiting.push(outcome),
    settle() {
      if (underWay === null) return begin();
      // The write under way may have begun before the last outcomes came; all who wait for the next share it.
      return underWay.then(
        () => (underWay === null ? begin() : underWay),
        () => (underWay === null ? begin() : underWay),
      );
    },
  };
}
