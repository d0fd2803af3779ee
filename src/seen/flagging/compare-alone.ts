import type { WorkLeases } from '../../db/work-leases.ts';
import type { FlaggingStore, Subject } from './flagging-store.ts';

/** A process that was killed blocks the others for this long. */
const leaseMs = 10_000;

/** A comparison that this process alone makes. */
export interface Comparison {
  /** The digest that was compared last, by any process; empty before the first time. */
  readonly compared: string;
  /** Called between steps: renews the lease, and throws when another process has acquired it. */
  renew(): Promise<void>;
}

/** Where leases are acquired and compared digests are stored. */
export interface CompareOptions {
  readonly leases: Pick<WorkLeases, 'hold'>;
  readonly store: Pick<FlaggingStore, 'compared' | 'recordCompared'>;
}

/**
 * Does the work unless another process does it; whether it was done. The digest that the work returns is stored. When the work
 * fails, or the process is killed, nothing is stored and the work is done again.
 */
export function compareAlone(
  subject: Subject,
  { leases, store }: CompareOptions,
  work: (comparison: Comparison) => Promise<string>,
): Promise<boolean> {
  return leases.hold(`compare ${subject}`, leaseMs, async (renew) => {
    await store.recordCompared(subject, await work({ compared: await store.compared(subject), renew }));
  });
}
