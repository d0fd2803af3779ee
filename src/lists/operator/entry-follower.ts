import type { ListLog } from '../snapshot/kept-snapshot.ts';
import { type OperatorEntries, operatorEntries } from './operator-entries.ts';
import type { OperatorEntry } from './operator-list.ts';

/** The storage of the operator's entries. */
export interface EntrySource {
  all(): Promise<readonly OperatorEntry[]>;
}

/** Reloads the entries when they changed, one load at a time. */
export interface EntryFollower {
  /** Resolves when everything stored before the call is in use, or could not be loaded. */
  changed(): Promise<void>;
  /** Retries after a failed load. */
  retry(): void;
}

/** Passes the entries to `use` after each announced change. */
export function followEntries(
  source: EntrySource,
  use: (entries: OperatorEntries) => void,
  log: ListLog,
): EntryFollower {
  let announced = 0;
  let inUse = 0;
  let reading: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    try {
      while (inUse !== announced) {
        const upTo = announced;
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
      announced += 1;
      return follow();
    },
    retry() {
      if (inUse !== announced) void follow();
    },
  };
}
