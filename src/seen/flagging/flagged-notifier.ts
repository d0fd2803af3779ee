import { chunksOf } from '../../platform/chunks-of.ts';
import type { FlaggedDomain, FlaggingStore, Notify } from './flagging-store.ts';

/** Collects the domains that environments are to be notified about, and notifies in batches. */
export interface FlaggedNotifier {
  add(flagged: FlaggedDomain): void;
  /** Notifies when a batch is full. */
  flushWhenFull(): Promise<void>;
  /** Notifies about everything that is pending. Returns the total number of notifications so far. */
  flush(): Promise<number>;
}

export interface FlaggedNotifierOptions {
  readonly store: Pick<FlaggingStore, 'notifyOnce'>;
  readonly notify: Notify;
  /** Days since 1970, UTC. */
  readonly today: () => number;
}

/** Domains in one transaction, some milliseconds on the embedded database. */
const batchSize = 200;
/** Thousands of seen names may be below one flagged name: only the first of them reaches the database. */
const maxRemembered = 50_000;

export function createFlaggedNotifier({ store, notify, today }: FlaggedNotifierOptions): FlaggedNotifier {
  const remembered = new Set<string>();
  let pending: FlaggedDomain[] = [];
  let notified = 0;
  const flush = async (): Promise<number> => {
    const all = pending;
    pending = [];
    for (const some of chunksOf(all, batchSize)) {
      notified += await store.notifyOnce(some, today(), notify);
    }
    return notified;
  };
  return {
    add(flagged) {
      const { owner, domain, kind } = flagged;
      const key = `${owner.accountId} ${owner.environment} ${domain} ${kind}`;
      if (remembered.has(key)) return;
      if (remembered.size >= maxRemembered) remembered.clear();
      remembered.add(key);
      pending.push(flagged);
    },
    async flushWhenFull() {
      if (pending.length >= batchSize) await flush();
    },
    flush,
  };
}
