import { createPendingConfirmation } from '../platform/pending-entries.ts';
import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import type { Fact, FactsStore } from './facts-store.ts';

/** Writes facts behind the requests that learnt them. */
export interface FactWriter {
  readonly buffer: WriteBehind;
  add(fact: Fact): void;
  /** Drops facts from the DNS that are not proven yet. */
  dropUnproven(): void;
}

export interface FactWriterOptions {
  readonly store: Pick<FactsStore, 'save'>;
  /** Whether the DNS servers prove themselves now. Facts from the DNS are written only after a proof that followed them. */
  prove(): Promise<boolean>;
  /** Called with the facts of each batch after they were written. */
  onWritten?(facts: readonly Fact[]): void;
}

/** A larger fact comes from a zone made to fill the disk; it is looked up again instead. */
const maxFactBytes = 4_096;
/** Storage that is unavailable for long must not fill the memory: facts can be learnt again. */
const maxPending = 20_000;

export function createFactWriter({ store, prove, onWritten }: FactWriterOptions): FactWriter {
  const pending = createPendingConfirmation<Fact>(({ kind, domain }) => `${kind} ${domain}`, maxPending, prove);
  return {
    buffer: createWriteBehind<readonly Fact[]>({
      name: 'facts',
      pending,
      batchSize: maxPending,
      // Each flush with facts from the DNS costs a proof.
      flushEveryMs: 5_000,
      failure: 'facts are not written yet',
      beforeFlush: pending.confirm,
      async write(facts) {
        await store.save(facts);
        onWritten?.(facts);
      },
    }),
    add(fact) {
      if (JSON.stringify(fact.value).length > maxFactBytes) return;
      if (fact.kind === 'registration') pending.add(fact);
      else pending.addUnconfirmed(fact);
    },
    dropUnproven: pending.dropUnconfirmed,
  };
}
