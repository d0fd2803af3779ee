import type { Leases } from '../db/leases/leases-store.ts';
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

/** Where leases are taken, and what was compared is noted. */
export interface LeaseOptions {
  readonly leases: Leases;
  readonly store: Pick<FlaggingStore, 'compared' | 'noteCompared'>;
  readonly monotonicMs: () => number;
}

/**
 * Does the work unless another process is at it; whether it was done. What the work gives back is noted as compared. When it fails,
 * or the process is killed, nothing is noted, and it is done again.
 */
export async function withLease(
  subject: Subject,
  { leases, store, monotonicMs }: LeaseOptions,
  work: (lease: Lease) => Promise<string>,
): Promise<boolean> {
  const name = `compare ${subject}`;
  if (!(await leases.take(name, leaseMs))) return false;
  let takenAtMs = monotonicMs();
  const keep = async (): Promise<void> => {
    if (monotonicMs() - takenAtMs < renewAfterMs) return;
    takenAtMs = monotonicMs();
    if (!(await leases.take(name, leaseMs))) throw new Error(`another process took over comparing ${subject}`);
  };
  try {
    await store.noteCompared(subject, await work({ compared: await store.compared(subject), keep }));
  } finally {
    await leases.end(name);
  }
  return true;
}
