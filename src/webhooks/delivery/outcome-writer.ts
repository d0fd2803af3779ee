import { createPendingQueue } from '../../platform/pending-entries.ts';
import { createWriteBehind, type WriteBehind } from '../../platform/write-behind.ts';
import type { CourierParts } from './courier.ts';
import type { OutboxStore, Outcome } from './outbox-store.ts';

/** Writes the outcomes of attempts in batches: outcomes that arrive during one write go into the next. */
export interface OutcomeWriter {
  readonly buffer: WriteBehind;
  add(outcome: Outcome): void;
}

/** A webhook is disabled when its receiver has accepted nothing for this long. */
const offAfterMs = 5 * 86_400_000;
const offReason = 'It was switched off because no delivery has succeeded for five days.';

/** Outcomes that storage cannot accept stay pending. When their leases expire meanwhile, the events are sent again. */
export function createOutcomeWriter(
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
