import { createPendingByKey } from '../platform/pending-entries.ts';
import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import type { Fact, FactsStore } from './facts-store.ts';
import { denialTexts, isRetracted, type Retraction } from './retraction.ts';

/** Writes facts behind the requests that learnt them. */
export interface FactWriter {
  readonly buffer: WriteBehind;
  add(fact: Fact): void;
  /** Removes facts in doubt, pending and written ones, with the next flush. */
  retract(retraction: Retraction): void;
}

/** A larger fact comes from a zone made to fill the disk; it is looked up again instead. */
const maxFactBytes = 4_096;
/** Storage that is unavailable for long must not fill the memory: facts can be learnt again. */
const maxPending = 20_000;

export function createFactWriter(store: FactsStore): FactWriter {
  const pending = createPendingByKey<Fact>(({ kind, domain }) => `${kind} ${domain}`, maxPending);
  let retractions: readonly Retraction[] = [];
  const applyRetractions = async (): Promise<void> => {
    for (const retraction of retractions) {
      pending.removeIf((fact) => isRetracted(retraction, fact));
      await store.retract(retraction, denialTexts);
      retractions = retractions.filter((other) => other !== retraction);
    }
  };
  return {
    buffer: createWriteBehind<readonly Fact[]>({
      name: 'facts',
      pending,
      batchSize: maxPending,
      flushEveryMs: 1_000,
      failure: 'facts are not written yet',
      beforeFlush: applyRetractions,
      write: store.save,
    }),
    add(fact) {
      if (JSON.stringify(fact.value).length <= maxFactBytes) pending.add(fact);
    },
    retract(retraction) {
      retractions = [...retractions, retraction];
    },
  };
}
