import { pruneAudit } from '../audit/audit.ts';
import { createAuditStore } from '../audit/audit-store.ts';
import { repeat } from '../platform/repeat.ts';
import { steadyClock } from '../platform/steady-clock.ts';
import type { Feature, Shared } from './feature.ts';

const pruneMs = 3_600_000;

/** Keeps the audit trail as long as it is to be kept, and no longer. */
export function createAuditFeature({ db, log, now, monotonicMs }: Shared): Feature {
  const store = createAuditStore(db);
  const steadyNow = steadyClock(now, monotonicMs);
  const prunes = repeat(
    pruneMs,
    () => pruneAudit(store, steadyNow()),
    (error) => log.warn({ err: error }, 'old entries of the audit trail not removed yet'),
  );
  return { endpoints: [], follows: [], metrics: [], close: () => prunes.stop() };
}
