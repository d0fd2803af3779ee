import type { Following, Shared } from '../feature.ts';
import { environments } from '../http/endpoint.ts';
import type { Job } from '../platform/jobs.ts';
import { announce } from '../webhooks/announce-store.ts';
import { thresholdEvents } from '../webhooks/credits-threshold.ts';
import { createCreditLeaseStore, creditHoldersTopic, creditsWantedTopic } from './credits/credit-lease-store.ts';
import { type Credits, createCredits } from './credits/credits.ts';
import { createLeasedCredits } from './credits/leased-credits.ts';
import { createUsageStore, type OnMonthsWritten } from './credits/usage-store.ts';

/** Credits with their jobs and subscriptions. */
export interface CreditsMetering {
  readonly credits: Credits;
  readonly follows: readonly Following[];
  readonly jobs: readonly Job[];
  /** Releases this process's leases. Call it after its credits are flushed. */
  close(): Promise<void>;
}

/** Counts credits by leases when other processes may grant from the same database, otherwise in this process alone. */
export function createCreditsMetering(shared: Shared, self: string): CreditsMetering {
  const { config, db } = shared;
  const isOnlyProcess = db.engine === 'sqlite' && config.workers === 1;
  return isOnlyProcess ? countInProcess(shared) : countByLeases(shared, self);
}

function countInProcess({ db, now }: Shared): CreditsMetering {
  const credits = createCredits(createUsageStore(db, announceThresholds(now)), now);
  return { credits, follows: [], jobs: [], async close() {} };
}

function countByLeases(shared: Shared, self: string): CreditsMetering {
  const { db, log, now } = shared;
  const leases = createCreditLeaseStore(db, self, now, announceThresholds(now));
  let isOnlyHolder = false;
  let arrivals = 0;
  const credits = createLeasedCredits(createUsageStore(db), leases, shared, () => isOnlyHolder);
  // SQLite has committed a process's writes by the time the process has exited. PostgreSQL may still be committing one.
  if (db.engine === 'sqlite') shared.siblings?.registerHolder(self, leases.releaseLeasesOf);
  // Another process waits for the released credits. The scheduled flush repeats a failed one and logs its error.
  const flushNow = (): void => void credits.buffer.flush().catch(() => {});
  const onHolderArrived = (): void => {
    arrivals += 1;
    isOnlyHolder = false;
    flushNow();
  };
  return {
    credits,
    jobs: [
      {
        name: 'credit-lease-heartbeat',
        everyMs: 10_000,
        firstMs: 0,
        failure: "could not write this process's heartbeat; after 60 s others may reuse its credits",
        async run() {
          const arrivalsBefore = arrivals;
          const living = await leases.heartbeat();
          isOnlyHolder = living === 1 && arrivals === arrivalsBefore;
        },
      },
    ],
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
    close: () =>
      leases
        .releaseOwn()
        .catch((error) => log.warn({ err: error }, "could not release this process's credits; they expire in 60 s")),
  };
}

/** Announces thresholds that an account's credits have crossed, to each of its environments, which share the credits. */
function announceThresholds(now: () => number): OnMonthsWritten {
  return async (trx, months) => {
    for (const month of months) {
      const events = thresholdEvents(month, now());
      if (events.length === 0) continue;
      const { accountId } = month;
      for (const environment of environments) await announce(trx, { accountId, environment }, events);
    }
  };
}
