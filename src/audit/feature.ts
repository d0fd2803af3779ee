import type { NameActors } from '../actor.ts';
import type { Feature, Shared } from '../feature.ts';
import { createClampedClock } from '../platform/clamped-clock.ts';
import { pruneAudit } from './audit.ts';
import { createAuditStore } from './audit-store.ts';
import { createRecentChanges, type RecentChanges } from './recent-changes.ts';

/** The audit trail. */
export interface AuditFeature extends Feature {
  readonly recentChanges: RecentChanges;
}

/** Reads the audit trail for the overview, and removes its entries when their retention ends. */
export function createAuditFeature({ db, now, monotonicMs }: Shared, nameActors: NameActors): AuditFeature {
  const store = createAuditStore(db);
  const clampedNow = createClampedClock(now, monotonicMs);
  return {
    recentChanges: createRecentChanges(store, nameActors),
    jobs: [
      {
        name: 'prune-audit',
        everyMs: 3_600_000,
        lease: { forMs: 7_200_000 },
        failure: 'could not remove old audit entries; the next attempt is in an hour',
        run: () => pruneAudit(store, clampedNow()),
      },
    ],
  };
}
