import { repeat } from '../time/repeat.ts';
import type { Feature, Shared } from './feature.ts';

/** How often room that became free is given back to the disk; the first time after what is too old was let go. */
const giveBackMs = 60_000;
const firstGiveBackMs = 5_000;

/** Looks after the storage itself. */
export function createStorageFeature({ db, log }: Shared): Feature {
  const ended = new AbortController();
  const upkeep = repeat(
    giveBackMs,
    () => db.giveBackSpace(ended.signal),
    (error) => log.warn({ err: error }, 'free room of the database not given back yet'),
    firstGiveBackMs,
  );
  return {
    endpoints: [],
    follows: [],
    metrics: [],
    async close() {
      ended.abort();
      await upkeep.stop();
    },
  };
}
