import type { ListLog } from '../snapshot/kept-snapshot.ts';
import { type OperatorEntries, operatorEntries } from './operator-entries.ts';
import type { OperatorEntry } from './operator-list.ts';

/** Where the operator's entries are read. */
export interface EntrySource {
  all(): Promise<readonly OperatorEntry[]>;
}

/** Reads the entries again when they changed, one reading at a time. */
export interface EntryFollower {
  /** Resolves when what was stored before the call is in use, or could not be read. */
  changed(): Promise<void>;
  /** Tries again when the last reading failed. */
  retry(): void;
}

/** Hands the entries to `use` whenever they are told to have changed. */
export function followEntries(
  source: EntrySource,
  use: (entries: OperatorEntries) => void,
  log: ListLog,
): EntryFollower {
  let told = 0;
  let inUse = 0;
  let reading: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    try {
      while (inUse !== told) {
        const upTo = told;
        use(operatorEntries(await source.all()));
        inUse = upTo;
      }
    } catch (error) {
      log.warn({ err: error }, "lists: the operator's entries could not be read; the last known ones stay in use");
    } finally {
      reading = null;
    }
  };
  const follow = (): Promise<void> => {
    reading ??= read();
    return reading;
  };
  return {
    changed() {
      told += 1;
      return follow();
    },
    retry() {
      if (inUse !== told) void follow();
    },
  };
}
