import type { OnMonthsWritten } from '../accounts/credits/usage-store.ts';
import { environments } from '../http/endpoint.ts';
import { announce } from '../webhooks/announce-store.ts';
import { thresholdEvents } from '../webhooks/credits-threshold.ts';

/** Announces thresholds that an account's credits have crossed, to each of its environments, which share the credits. */
export function announceThresholds(now: () => number): OnMonthsWritten {
  return async (trx, months) => {
    for (const month of months) {
      const events = thresholdEvents(month, now());
      if (events.length === 0) continue;
      const { accountId } = month;
      for (const environment of environments) await announce(trx, { accountId, environment }, events);
    }
  };
}
