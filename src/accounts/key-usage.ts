import { createPendingByKey } from '../platform/pending-entries.ts';
import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import type { KeyCache } from './key-cache.ts';
import type { KeysStore } from './keys-store.ts';

const minuteMs = 60_000;
/** Keys per write, and keys examined before the event loop runs. */
const batchSize = 500;

interface KeyUse {
  readonly id: string;
  readonly minute: number;
}

/** Records the minute in which each key was last used; a key is written once a minute, however often it is used. */
export function createKeyUsage(
  cache: Pick<KeyCache, 'usedSince'>,
  store: Pick<KeysStore, 'markUsed'>,
  clocks: { readonly now: () => number; readonly monotonicMs: () => number },
): WriteBehind {
  const pending = createPendingByKey<KeyUse>(({ id }) => id);
  const recorded = new Set<string>();
  let minute = 0;
  let since = clocks.monotonicMs();

  /** Requests only mark their key in the cache; the keys used since the last flush are collected from there. */
  const collect = async (): Promise<void> => {
    const startedMs = clocks.monotonicMs();
    const thisMinute = Math.floor(clocks.now() / minuteMs) * minuteMs;
    if (thisMinute !== minute) recorded.clear();
    minute = thisMinute;
    let examined = 0;
    for (const id of cache.usedSince(since)) {
      if (id !== null && !recorded.has(id)) {
        recorded.add(id);
        pending.add({ id, minute });
      }
      examined += 1;
      if (examined % batchSize === 0) await yieldToEventLoop();
    }
    since = startedMs;
  };
  return createWriteBehind<readonly KeyUse[]>({
    name: 'key_usage',
    pending,
    batchSize,
    flushEveryMs: 30_000,
    failure: 'the last use of keys is not written yet; it is kept in memory',
    beforeFlush: collect,
    async write(uses) {
      for (const [usedAtMs, ofMinute] of Map.groupBy(uses, (use) => use.minute))
        await store.markUsed(
          ofMinute.map(({ id }) => id),
          usedAtMs,
        );
    },
  });
}
