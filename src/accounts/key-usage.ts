import { createPendingByKey } from '../platform/pending-entries.ts';
import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import type { KeyCache } from './key-cache.ts';
import type { KeysStore } from './keys-store.ts';

const hourMs = 3_600_000;
/** Keys per write, and keys examined before the event loop runs. */
const batchSize = 500;

interface KeyUse {
  readonly id: string;
  readonly hour: number;
}

/** Records the hour in which each key was last used; a key is written once an hour, however often it is used. */
export function createKeyUsage(
  cache: Pick<KeyCache, 'usedSince'>,
  store: Pick<KeysStore, 'markUsed'>,
  clocks: { readonly now: () => number; readonly monotonicMs: () => number },
): WriteBehind {
  const pending = createPendingByKey<KeyUse>(({ id }) => id);
  const recorded = new Set<string>();
  let hour = 0;
  let since = clocks.monotonicMs();

  /** Requests only mark their key in the cache; the keys used since the last flush are collected from there. */
  const collect = async (): Promise<void> => {
    const startedMs = clocks.monotonicMs();
    const thisHour = Math.floor(clocks.now() / hourMs) * hourMs;
    if (thisHour !== hour) recorded.clear();
    hour = thisHour;
    let examined = 0;
    for (const id of cache.usedSince(since)) {
      if (id !== null && !recorded.has(id)) {
        recorded.add(id);
        pending.add({ id, hour });
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
      for (const [usedInHour, ofHour] of Map.groupBy(uses, (use) => use.hour))
        await store.markUsed(
          ofHour.map(({ id }) => id),
          usedInHour,
        );
    },
  });
}
