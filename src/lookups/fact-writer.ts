import type { Fact, FactsStore } from './facts-store.ts';

/** Collects what was learnt and writes it in batches, off the way of any request. */
export interface FactWriter {
  add(fact: Fact): void;
  flush(): Promise<void>;
}

/** A storage that is away for long must not fill the memory: facts can be learnt again. */
const maxWaiting = 20_000;

export function createFactWriter(store: FactsStore): FactWriter {
  let waiting = new Map<string, Fact>();
  return {
    add(fact) {
      if (waiting.size < maxWaiting) waiting.set(`${fact.kind} ${fact.domain}`, fact);
    },
    async flush() {
      if (waiting.size === 0) return;
      const batch = waiting;
      waiting = new Map();
      try {
        await store.save([...batch.values()]);
      } catch (error) {
        // What was learnt in the meantime is newer.
        for (const [key, fact] of waiting) batch.set(key, fact);
        waiting = batch;
        throw error;
      }
    },
  };
}
