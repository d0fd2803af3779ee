import type { Fact, FactsStore } from './facts-store.ts';
import { denialTexts, isRetracted, type Retraction } from './retraction.ts';

/** Collects what was learnt and writes it in batches, without delaying any request. */
export interface FactWriter {
  add(fact: Fact): void;
  /** Takes back what is in doubt: at once what is not written yet, with the next batch what is. */
  retract(retraction: Retraction): void;
  /** Resolves when everything that was added before is written. */
  flush(): Promise<void>;
  /** How many facts are not written yet. */
  waiting(): number;
}

/** A fact that takes more room is one of a zone made to fill the disk; it is asked for again instead. */
const mostFactBytes = 4_096;
/** A storage that is away for long must not fill the memory: facts can be learnt again. */
const maxWaiting = 20_000;

export function createFactWriter(store: FactsStore): FactWriter {
  let waiting = new Map<string, Fact>();
  let retractions: readonly Retraction[] = [];
  let writing: Promise<void> = Promise.resolve();

  /** Again before every batch: one that failed while a retraction came is waiting once more. */
  async function takeBack(): Promise<void> {
    for (const retraction of retractions) {
      for (const [key, fact] of waiting) if (isRetracted(retraction, fact)) waiting.delete(key);
      await store.retract(retraction, denialTexts);
      retractions = retractions.filter((other) => other !== retraction);
    }
  }

  async function write(): Promise<void> {
    await takeBack();
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
  }

  return {
    retract(retraction) {
      retractions = [...retractions, retraction];
    },
    add(fact) {
      if (JSON.stringify(fact.value).length > mostFactBytes) return;
      if (waiting.size < maxWaiting) waiting.set(`${fact.kind} ${fact.domain}`, fact);
    },
    flush() {
      // Who asks while another batch is on its way may rely on that being written, too.
      const written = writing.then(write, write);
      writing = written;
      return written;
    },
    waiting: () => waiting.size,
  };
}
