import { announceThresholds } from '../app/announce-thresholds.ts';
import type { Following, Shared } from '../app/feature.ts';
import { type Repeating, repeat } from '../platform/repeat.ts';
import { createCreditLeaseStore, creditHoldersTopic, creditsWantedTopic } from './credits/credit-lease-store.ts';
import { type Credits, createCredits, mayWait } from './credits/credits.ts';
import { createLeasedCredits } from './credits/leased-credits.ts';
import { createUsageStore } from './credits/usage-store.ts';

/** How often used credits are written. A kill -9 loses at most this much, or more when very many accounts wait to be written. */
const flushMs = 500;
const heartbeatMs = 10_000;

/** Credits, and the jobs behind them until the service stops. */
export interface CreditsMetering {
  readonly credits: Credits;
  readonly follows: readonly Following[];
  close(): Promise<void>;
}

/** Counts credits: by leases where other processes may grant from the same database, else in this process alone. */
export function createCreditsMetering(shared: Shared, self: string): CreditsMetering {
  const { config, db } = shared;
  const isOnlyProcess = db.engine === 'sqlite' && config.workers === 1;
  return isOnlyProcess ? countInProcess(shared) : countByLeases(shared, self);
}

function countInProcess(shared: Shared): CreditsMetering {
  const credits = createCredits(createUsageStore(shared.db, announceThresholds(shared.now)), shared.now);
  const flushes = scheduleFlushes(credits, shared, () => true);
  return {
    credits,
    follows: [],
    async close() {
      await flushes.stop();
      await writeLast(shared, () => credits.flush());
    },
  };
}

function countByLeases(shared: Shared, self: string): CreditsMetering {
  const { db, log, now } = shared;
  const leases = createCreditLeaseStore(db, self, now, announceThresholds(now));
  const credits = createLeasedCredits(createUsageStore(db), leases, shared);
  // SQLite has committed a process's writes by the time the process has exited. PostgreSQL may still be committing one.
  if (db.engine === 'sqlite') shared.siblings?.registerHolder(self, leases.releaseLeasesOf);
  let isOnlyHolder = false;
  let arrivals = 0;
  // Other processes read used credits from the database and must see them within a second.
  const flushes = scheduleFlushes(credits, shared, () => isOnlyHolder);
  const heartbeats = repeat(
    heartbeatMs,
    async () => {
      const arrivalsBefore = arrivals;
      const living = await leases.heartbeat();
      isOnlyHolder = living === 1 && arrivals === arrivalsBefore;
    },
    (error) =>
      log.warn({ err: error }, "could not write this process's heartbeat; after 60 s others may reuse its credits"),
    0,
  );
  // Another process waits for the released credits. The scheduled flush repeats a failed one and logs its error.
  const flushNow = (): void => void credits.flush().catch(() => {});
  const onHolderArrived = (): void => {
    arrivals += 1;
    isOnlyHolder = false;
    flushNow();
  };
  return {
    credits,
    follows: [
      {
        topic: creditsWantedTopic,
        changed(accountId) {
          credits.releaseUnspent(accountId);
          flushNow();
        },
        changedAll() {
          credits.releaseAllUnspent();
          flushNow();
        },
      },
      { topic: creditHoldersTopic, changed: onHolderArrived, changedAll: onHolderArrived },
    ],
    async close() {
      await Promise.all([flushes.stop(), heartbeats.stop()]);
      await writeLast(shared, () => credits.close());
    },
  };
}

/** Flushes every 500 ms. With very many accounts a flush may wait longer, unless another process reads the totals. */
function scheduleFlushes(credits: Credits, { log, monotonicMs }: Shared, isOnlyHolder: () => boolean): Repeating {
  let flushedAtMs = monotonicMs();
  const flushWhenDue = async (): Promise<void> => {
    if (isOnlyHolder() && mayWait(credits.unwritten(), monotonicMs() - flushedAtMs)) return;
    flushedAtMs = monotonicMs();
    await credits.flush();
  };
  return repeat(flushMs, flushWhenDue, (error) =>
    log.warn({ err: error }, 'could not write used credits; they are kept in memory and written with the next flush'),
  );
}

/** An unavailable database must not keep the process from exiting. */
async function writeLast({ log }: Shared, write: () => Promise<void>): Promise<void> {
  await write().catch((error) =>
    log.error({ err: error }, 'could not write the last used credits before exit; they are lost'),
  );
}
