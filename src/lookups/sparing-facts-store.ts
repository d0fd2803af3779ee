import type { FactsStore } from './facts-store.ts';

/** After a failed reading the storage is spared for this long. */
const pauseMs = 1_000;

/**
 * A store whose readings fail at once for a moment after one has failed: a storage that is away may keep silent, and no lookup
 * of a new domain is to wait for facts that can be asked of the network.
 */
export function sparingFactsStore(store: FactsStore, monotonicMs: () => number): FactsStore {
  let failure: { readonly error: unknown; readonly atMs: number } | null = null;
  return {
    ...store,
    async load(domain, kinds) {
      if (failure !== null && monotonicMs() - failure.atMs < pauseMs) throw failure.error;
      try {
        const facts = await store.load(domain, kinds);
        failure = null;
        return facts;
      } catch (error) {
        failure = { error, atMs: monotonicMs() };
        throw error;
      }
    },
  };
}
