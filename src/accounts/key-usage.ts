import { yieldToEventLoop } from '../platform/yielding.ts';
import type { KeyCache } from './key-cache.ts';
import type { KeysStore } from './keys-store.ts';

/** Records in which hour keys were last used, without delaying any request. */
export interface KeyUsage {
  /** Notes the keys used since the last time; rejects when the storage is away, and then nothing is forgotten. */
  flush(): Promise<void>;
}

const hourMs = 3_600_000;
/** Keys looked at and written at a time; requests are served in between. */
const keysAtOnce = 500;

/** A key is written once an hour, however often it is used. */
export function createKeyUsage(
  cache: Pick<KeyCache, 'usedSince'>,
  store: Pick<KeysStore, 'markUsed'>,
  clocks: { readonly now: () => number; readonly monotonicMs: () => number },
): KeyUsage {
  const written = new Set<string>();
  let hour = 0;
  let since = clocks.monotonicMs();
  const usedAnew = async (): Promise<string[]> => {
    const used = new Set<string>();
    let looked = 0;
    for (const id of cache.usedSince(since)) {
      if (id !== null && !written.has(id)) used.add(id);
      looked += 1;
      if (looked % keysAtOnce === 0) await yieldToEventLoop();
    }
    return [...used];
  };
  return {
    async flush() {
      const beganMs = clocks.monotonicMs();
      const thisHour = Math.floor(clocks.now() / hourMs) * hourMs;
      if (thisHour !== hour) written.clear();
      hour = thisHour;
      const used = await usedAnew();
      for (let start = 0; start < used.length; start += keysAtOnce) {
        if (start > 0) await yieldToEventLoop();
        const some = used.slice(start, start + keysAtOnce);
        await store.markUsed(some, thisHour);
        for (const id of some) written.add(id);
      }
      since = beganMs;
    },
  };
}
