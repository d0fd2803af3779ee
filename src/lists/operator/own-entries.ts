import type { Actor } from '../../actor.ts';
import type { OperatorEntriesStore } from './operator-entries-store.ts';
import { type EntryProblem, type OperatorList, readValues } from './operator-list.ts';

/** The result of a change: all values were applied or, when one is wrong, none. */
export type EntryChange =
  | {
      readonly changed: readonly string[];
      /** Already there when adding, not there when removing. */
      readonly unchanged: readonly string[];
    }
  | { readonly problems: readonly EntryProblem[] };

/** The operator's entries, as commands and the console change them. */
export interface OwnEntries {
  of(list: OperatorList): Promise<string[]>;
  /** Durable when it returns; other processes see it within a second. */
  change(what: 'add' | 'remove', list: OperatorList, values: readonly string[], by: Actor): Promise<EntryChange>;
}

/** The operator's entries over their store; `changed` applies a change in this process immediately. */
export function createOwnEntries(
  store: OperatorEntriesStore,
  now: () => number,
  changed: () => Promise<void> = async () => {},
): OwnEntries {
  return {
    of: store.of,
    async change(what, list, values, by) {
      const { entries, problems } = readValues(list, values);
      // A typing mistake must not leave half of a change done.
      if (problems.length > 0) return { problems };
      const done = new Set(await store[what](list, entries, by, now()));
      if (done.size > 0) await changed();
      return { changed: [...done], unchanged: entries.filter((entry) => !done.has(entry)) };
    },
  };
}
