import type { Fact, FactsStore } from './facts-store.ts';

/** After a failed read the storage is not queried for this long. */
const pauseMs = 1_000;

/**
 * Limits the reads of a storage. Concurrent reads of one domain are one read. After a failed read, further reads fail fast for a while:
 * an unavailable storage may time out, and no lookup of a new domain should wait for facts that the network can provide.
 */
export function guardedFactsStore(store: FactsStore, monotonicMs: () => number): FactsStore {
  /** Reads in progress. A synchronous result is kept until the next microtask. */
  const inProgress = new Map<string, readonly Fact[] | Promise<readonly Fact[]>>();
  let failure: { readonly error: unknown; readonly atMs: number } | null = null;

  const fail = (error: unknown): never => {
    failure = { error, atMs: monotonicMs() };
    throw error;
  };
  const read = (domain: string): readonly Fact[] | Promise<readonly Fact[]> => {
    const reading = loadFrom(store, domain);
    const forget = (): void => void inProgress.delete(domain);
    if (!(reading instanceof Promise)) {
      queueMicrotask(forget);
      return reading;
    }
    const succeed = (facts: readonly Fact[]): readonly Fact[] => {
      failure = null;
      return facts;
    };
    return reading.then(succeed, fail).finally(forget);
  };

  return {
    ...store,
    load(domain) {
      if (failure !== null && monotonicMs() - failure.atMs < pauseMs) return Promise.reject(failure.error);
      const reading = inProgress.get(domain) ?? read(domain);
      inProgress.set(domain, reading);
      return reading;
    },
  };
}

/** Reads like the store, but turns an exception into a rejection, which readers handle. */
function loadFrom(store: FactsStore, domain: string): readonly Fact[] | Promise<readonly Fact[]> {
  try {
    return store.load(domain);
  } catch (error) {
    return Promise.reject(error);
  }
}
