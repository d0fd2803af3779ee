import { type Credits, createCredits, mayWait } from '../../accounts/credits.ts';
import { createLeaseStore, creditsWantedTopic, holdersTopic } from '../../accounts/leases/lease-store.ts';
import { createLeasedCredits } from '../../accounts/leases/leased-credits.ts';
import { createUsageStore } from '../../accounts/usage-store.ts';
import { type Repeating, repeat } from '../../platform/repeat.ts';
import type { Following, Shared } from '../feature.ts';
import { announceThresholds } from '../webhooks/announce-thresholds.ts';

/** How often credits used are written; a kill -9 loses no more than this, unless very many accounts have used some. */
const flushMs = 500;
/** How often a process that holds credits says that it lives. */
const beatMs = 10_000;

/** Credits, and what goes on behind them until the service stops. */
export interface CreditsMetering {
  readonly credits: Credits;
  readonly follows: readonly Following[];
  close(): Promise<void>;
}

/** Counts credits: by leases where other processes may grant from the same database, else alone. */
export function createCreditsMetering(shared: Shared, self: string): CreditsMetering {
  const { config, db } = shared;
  const isAlone = db.engine === 'sqlite' && config.workers === 1;
  return isAlone ? countAlone(shared) : countByLeases(shared, self);
}

function countAlone(shared: Shared): CreditsMetering {
  const credits = createCredits(createUsageStore(shared.db, announceThresholds(shared.now)), shared.now);
  const flushes = flushOften(credits, shared, () => true);
  return {
    credits,
    follows: [],
    async close() {
      await flushes.stop();
      await endWith(shared, () => credits.flush());
    },
  };
}

function countByLeases(shared: Shared, self: string): CreditsMetering {
  const { db, log, now } = shared;
  const leases = createLeaseStore(db, self, now, announceThresholds(now));
  const credits = createLeasedCredits(createUsageStore(db), leases, shared);
  // What a process wrote to the embedded database is there when it ends. A PostgreSQL may still be writing.
  if (db.engine === 'sqlite') shared.siblings?.introduce(self, leases.bury);
  let isAlone = false;
  let arrivals = 0;
  // Others ask the database what was used, and no later than a second after it was.
  const flushes = flushOften(credits, shared, () => isAlone);
  const beats = repeat(
    beatMs,
    async () => {
      const before = arrivals;
      const living = await leases.beat();
      isAlone = living === 1 && arrivals === before;
    },
    (error) => log.warn({ err: error }, 'could not tell the storage that this process lives'),
    0,
  );
  // Somebody waits for what is given back. A flush that fails is tried again, and told of, by the next round.
  const flushNow = (): void => void credits.flush().catch(() => {});
  const welcome = (): void => {
    arrivals += 1;
    isAlone = false;
    flushNow();
  };
  return {
    credits,
    follows: [
      {
        topic: creditsWantedTopic,
        changed(accountId) {
          credits.giveBack(accountId);
          flushNow();
        },
        changedAll() {
          credits.giveBackAll();
          flushNow();
        },
      },
      { topic: holdersTopic, changed: welcome, changedAll: welcome },
    ],
    async close() {
      await Promise.all([flushes.stop(), beats.stop()]);
      await endWith(shared, () => credits.leave());
    },
  };
}

/** What very many accounts have used may wait a little where nobody else asks the database for it. */
function flushOften(credits: Credits, { log, monotonicMs }: Shared, isAlone: () => boolean): Repeating {
  let writtenAtMs = monotonicMs();
  const flushWhenDue = async (): Promise<void> => {
    if (isAlone() && mayWait(credits.waiting(), monotonicMs() - writtenAtMs)) return;
    writtenAtMs = monotonicMs();
    await credits.flush();
  };
  return repeat(flushMs, flushWhenDue, (error) => log.warn({ err: error }, 'credits not written yet'));
}

/** A storage that is away must not keep the process from ending. */
async function endWith({ log }: Shared, write: () => Promise<void>): Promise<void> {
  await write().catch((error) => log.error({ err: error }, 'credits of the last moment were not written'));
}
