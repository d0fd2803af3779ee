import { setTimeout as sleep } from 'node:timers/promises';
import type { Leases } from '../db/leases/leases-store.ts';

/** Has one of several instances ask the network about a domain that none of them knows; the others take what it learnt. */
export interface AskedOnce {
  /** Whether another instance uses the database, as far as is known. */
  hasOthers(): boolean;
  /**
   * Whether this process is to ask for what is called `name`, a domain or something about it; else `isKnown` said that
   * another's answer has come, or the time was up. `isKnown` reads the storage again.
   */
  isToAsk(name: string, isKnown: () => Promise<boolean>, untilMs: number): Promise<boolean>;
  /** What was asked for is answered, or never will be. */
  answered(name: string): void;
  /** Resolves when everything that was answered is written. */
  settled(): Promise<void>;
}

/** What asking once needs. */
export interface AskedOnceOptions {
  readonly leases: Leases;
  /** Longer than an answer takes; a process that died keeps the others waiting for so long. */
  readonly leaseMs: number;
  /** How seldom it is looked, in the end, whether another's answer has come. */
  readonly longestPauseMs: number;
  /** Whether another instance uses the database; one that is alone asks at once. */
  readonly hasOthers: () => boolean;
  /** Writes what was learnt. */
  readonly flush: () => Promise<void>;
  readonly now: () => number;
  onError(error: unknown): void;
}

const firstPauseMs = 10;
/** With more domains than this on the way the storage would be asked all the time: then every instance asks the network. */
const mostWaiting = 200;
/** Answers that come together are written together; somebody may be waiting for them. */
const gatherMs = 20;
/** Leases in one statement. */
const mostAtOnce = 500;

export function createAskedOnce(options: AskedOnceOptions): AskedOnce {
  const { leases, leaseMs, longestPauseMs, hasOthers, flush, now, onError } = options;
  const held = new Set<string>();
  const done: string[] = [];
  let writing: Promise<void> | null = null;
  let waiting = 0;

  const write = async (): Promise<void> => {
    while (done.length > 0) {
      await sleep(gatherMs, undefined, { ref: false });
      const names = done.splice(0, mostAtOnce);
      await flush().catch(onError);
      await leases.end(...names).catch(onError);
    }
    writing = null;
  };
  const answered = (name: string): void => {
    if (!held.delete(name)) return;
    done.push(name);
    writing ??= write();
  };

  const waitForTurn = async (name: string, isKnown: () => Promise<boolean>, untilMs: number): Promise<boolean> => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      if (await leases.take(name, leaseMs)) {
        held.add(name);
        // Another may have written between the last reading and this.
        if (!(await isKnown())) return true;
        answered(name);
        return false;
      }
      if (now() + pauseMs >= untilMs) return false;
      await sleep(pauseMs);
      if (await isKnown()) return false;
    }
  };

  return {
    async isToAsk(name, isKnown, untilMs) {
      if (!hasOthers() || held.has(name) || waiting >= mostWaiting) return true;
      waiting += 1;
      try {
        return await waitForTurn(name, isKnown, untilMs);
      } catch (error) {
        // A storage that is away must not keep anybody from asking.
        onError(error);
        return true;
      } finally {
        waiting -= 1;
      }
    },
    hasOthers,
    answered,
    async settled() {
      await writing;
    },
  };
}
