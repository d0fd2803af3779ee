import type { Feature, Shared } from '../app/feature.ts';
import { createClampedClock } from '../platform/clamped-clock.ts';
import { pruneAudit } from './audit.ts';
import { createAuditStore } from './audit-store.ts';

/** Removes entries of the audit trail when their retention ends. */
export function createAuditFeature({ db, now, monotonicMs }: Shared): Feature {
  const store = createAuditStore(db);
  const clampedNow = createClampedClock(now, monotonicMs);
  return {
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
