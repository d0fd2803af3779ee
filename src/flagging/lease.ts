import type { FlaggingStore, Subject } from './flagging-store.ts';

/** A process that was killed holds up the others for this long. */
const leaseMs = 10_000;
/** Well before it ends, the lease is taken anew. */
const renewAfterMs = 3_000;

/** Work on a subject that one process does at a time. */
export interface Lease {
  /** What was compared last, by any process; empty before the first time. */
  readonly compared: string;
  /** Called between steps: keeps the others away; throws when it was too late for that. */
  keep(): Promise<void>;
}

/** Who holds leases, and where. */
export interface LeaseOptions {
  readonly store: Pick<FlaggingStore, 'claim' | 'release'>;
  /** What this process is called. */
  readonly holder: string;
  readonly monotonicMs: () => number;
}

/**
 * Does the work unless another process is at it; whether it was done. What the work gives back is noted as compared. When it fails,
 * or the process is killed, nothing is noted, and it is done again.
 */
export async function withLease(
  subject: Subject,
  { store, holder, monotonicMs }: LeaseOptions,
  work: (lease: Lease) => Promise<string>,
): Promise<boolean> {
  const compared = await store.claim(subject, holder, leaseMs);
  if (compared === null) return false;
  let claimedAtMs = monotonicMs();
  const keep = async (): Promise<void> => {
    if (monotonicMs() - claimedAtMs < renewAfterMs) return;
    claimedAtMs = monotonicMs();
    if ((await store.claim(subject, holder, leaseMs)) === null)
      throw new Error(`another process took over comparing ${subject}`);
  };
  try {
    await store.release(subject, holder, await work({ compared, keep }));
  } catch (error) {
    await store.release(subject, holder, null);
    throw error;
  }
  return true;
}
