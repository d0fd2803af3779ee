import { reversedName } from '../address/reversed-name.ts';
import { AppError } from '../errors.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import type { DaysRow, SeenStore } from './seen-store.ts';
import type { Sighting, Sightings } from './sightings.ts';

/** Rows in one transaction, a millisecond or two of the embedded database; requests are served in between. */
const rowsAtOnce = 200;

/**
 * Writes what was seen until now, in slices; what the storage does not take now is kept for the next time. What is seen meanwhile
 * waits for the next time too: each slice is a transaction, and the few that come during one are not worth another.
 */
export async function writeSightings(
  sightings: Pick<Sightings, 'take' | 'giveBack' | 'waiting'>,
  store: Pick<SeenStore, 'add'>,
): Promise<void> {
  for (let left = sightings.waiting(); left > 0; left -= rowsAtOnce) {
    const some = sightings.take(Math.min(left, rowsAtOnce));
    try {
      await store.add(some.map(toRow));
    } catch (error) {
      // A storage that is away comes back; anything else would fail again and hold up all that comes after.
      if (error instanceof AppError && error.code === 'service_unavailable') sightings.giveBack(some);
      throw error;
    }
    await yieldToEventLoop();
  }
}

function toRow({ owner, domain, day, flagged }: Sighting): DaysRow {
  return { day, name: reversedName(domain), account_id: owner.accountId, environment: owner.environment, flagged };
}
