import { setTimeout as sleep } from 'node:timers/promises';
import type { Leases } from '../db/leases/leases-store.ts';

/** Has one of several instances ask the network about a domain that none of them knows; the others take what it learnt. */
export interface AskedOnce {
  /**
   * Whether this process is to ask; else `isKnown` said that another's answer has come, or the time was up. `isKnown` reads
   * the storage again.
   */
  isToAsk(domain: string, isKnown: () => Promise<boolean>, untilMs: number): Promise<boolean>;
  /** What was asked for is answered, or never will be. */
  answered(domain: string): void;
  /** Resolves when everything that was answered is written. */
  settled(): Promise<void>;
}

/** What asking once needs. */
export interface AskedOnceOptions {
  readonly leases: Leases;
  /** Whether another instance uses the database; one that is alone asks at once. */
  readonly hasOthers: () => boolean;
  /** Writes what was learnt. */
  readonly flush: () => Promise<void>;
  readonly now: () => number;
  onError(error: unknown): void;
}

/** Longer than anybody waits for an answer; a process that died keeps the others waiting for so long. */
export const leaseMs = 5_000;
const firstPauseMs = 10;
const longestPauseMs = 80;
/** Answers that come together are written together; somebody may be waiting for them. */
const gatherMs = 20;
/** Domains in one statement. */
const mostAtOnce = 500;

export function createAskedOnce({ leases, hasOthers, flush, now, onError }: AskedOnceOptions): AskedOnce {
  const held = new Set<string>();
  const done: string[] = [];
  let writing: Promise<void> | null = null;

  const write = async (): Promise<void> => {
    while (done.length > 0) {
      await sleep(gatherMs, undefined, { ref: false });
      const domains = done.splice(0, mostAtOnce);
      await flush().catch(onError);
      await leases.end(...domains).catch(onError);
    }
    writing = null;
  };
  const answered = (domain: string): void => {
    if (!held.delete(domain)) return;
    done.push(domain);
    writing ??= write();
  };

  const waitForTurn = async (domain: string, isKnown: () => Promise<boolean>, untilMs: number): Promise<boolean> => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      if (await leases.take(domain, leaseMs)) {
        held.add(domain);
        // Another may have written between the last reading and this.
        if (!(await isKnown())) return true;
        answered(domain);
        return false;
      }
      if (now() + pauseMs >= untilMs) return false;
      await sleep(pauseMs);
      if (await isKnown()) return false;
    }
  };

  return {
    async isToAsk(domain, isKnown, untilMs) {
      if (!hasOthers() || held.has(domain)) return true;
      try {
        return await waitForTurn(domain, isKnown, untilMs);
      } catch (error) {
        // A storage that is away must not keep anybody from asking.
        onError(error);
        return true;
      }
    },
    answered,
    async settled() {
      await writing;
    },
  };
}
