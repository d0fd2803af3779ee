import type { Fact, FactsStore } from './facts-store.ts';

/** After a failed reading the storage is spared for this long. */
const pauseMs = 1_000;

/**
 * A store that is asked as little as will do. What several want of one domain at once is read once. And readings fail at once for
 * a moment after one has failed: a storage that is away may keep silent, and no lookup of a new domain is to wait for facts
 * that can be asked of the network.
 */
export function sparingFactsStore(store: FactsStore, monotonicMs: () => number): FactsStore {
  const underWay = new Map<string, Promise<readonly Fact[]>>();
  let failure: { readonly error: unknown; readonly atMs: number } | null = null;

  const read = async (domain: string): Promise<readonly Fact[]> => {
    try {
      const facts = await store.load(domain);
      failure = null;
      return facts;
    } catch (error) {
      failure = { error, atMs: monotonicMs() };
      throw error;
    } finally {
      underWay.delete(domain);
    }
  };

  return {
    ...store,
    async load(domain) {
      if (failure !== null && monotonicMs() - failure.atMs < pauseMs) throw failure.error;
      const reading = underWay.get(domain) ?? read(domain);
      underWay.set(domain, reading);
      return reading;
    },
  };
}
