import { reversedName } from '../../address/reversed-name.ts';
import type { YieldWhenDue } from '../../platform/yielding.ts';
import { type FlagKind, flagBits, flagKinds } from '../flag-kinds.ts';
import type { Sighting, Wanted } from '../seen-search.ts';
import { type CompareOptions, compareAlone } from './compare-alone.ts';
import { createFlaggedNotifier, type FlaggedNotifierOptions } from './flagged-notifier.ts';

/** The lists that lookups use, and how they differ from an earlier revision. */
export interface FlagLists<Revision extends object> {
  /** Replaced by another object at every change. */
  readonly revision: Revision;
  isListed(kind: FlagKind, name: string): boolean;
  /** The listed name that flags this name: itself or a parent. */
  entryBehind(kind: FlagKind, name: string): string;
  changedSince(revision: Revision, yieldWhenDue: YieldWhenDue): Promise<ReadonlySet<string>>;
  digest(yieldWhenDue: YieldWhenDue): Promise<string>;
}

/** Finds the seen names that equal wanted names or are below them. */
export type SearchSeen = (wanted: Wanted, yieldWhenDue: YieldWhenDue) => AsyncIterable<readonly Sighting[]>;

export interface ListsComparisonOptions<Revision extends object> {
  readonly lists: FlagLists<Revision>;
  readonly search: SearchSeen;
  readonly comparing: CompareOptions;
  readonly notifying: FlaggedNotifierOptions;
  readonly createYielder: () => YieldWhenDue;
  readonly monotonicMs: () => number;
}

/** Within this time every process has written its sightings from before the lists changed, and uses the new lists. */
export const propagationMs = 5_000;
/** Names between two yields. */
const namesPerYield = 500;

/**
 * Finds seen domains that changed lists flag now, and notifies the environments that saw them. Call it repeatedly: it works only after
 * a change. Returns how many notifications it sent. The digest of the compared lists is recorded, so a process with the same lists
 * does nothing; a process that starts with other lists than the compared ones checks every seen domain.
 */
export function createListsComparison<Revision extends object>(
  options: ListsComparisonOptions<Revision>,
): () => Promise<number> {
  const { lists, comparing, createYielder, monotonicMs } = options;
  let compared: Revision | null = null;
  let noticed: Revision | null = null;
  let noticedAtMs = 0;
  return async () => {
    const { revision } = lists;
    if (revision === compared) return 0;
    if (revision !== noticed) {
      noticed = revision;
      noticedAtMs = monotonicMs();
    }
    if (monotonicMs() - noticedAtMs < propagationMs) return 0;
    let notified = 0;
    const isDone = await compareAlone('lists', comparing, async (comparison) => {
      const yieldWhenDue = createYielder();
      const digest = await lists.digest(yieldWhenDue);
      if (comparison.compared === digest) return digest;
      const changed = compared === null ? null : await lists.changedSince(compared, yieldWhenDue);
      const wanted = changed && (await reversedNames(changed, yieldWhenDue));
      notified = await notifyFlagged(wanted, yieldWhenDue, comparison.renew, options);
      return digest;
    });
    if (isDone) compared = revision;
    return notified;
  };
}

async function reversedNames(names: ReadonlySet<string>, yieldWhenDue: YieldWhenDue): Promise<ReadonlySet<string>> {
  const reversed = new Set<string>();
  for (const name of names) {
    reversed.add(reversedName(name));
    if (reversed.size % namesPerYield === 0) await yieldWhenDue();
  }
  return reversed;
}

async function notifyFlagged<Revision extends object>(
  wanted: Wanted,
  yieldWhenDue: YieldWhenDue,
  renew: () => Promise<void>,
  { lists, search, notifying }: ListsComparisonOptions<Revision>,
): Promise<number> {
  const notifier = createFlaggedNotifier(notifying);
  let checked = 0;
  for await (const sightings of search(wanted, yieldWhenDue)) {
    for (const { name, owner, flagged } of sightings) {
      checked += 1;
      if (checked % namesPerYield === 0) await yieldWhenDue();
      const domain = reversedName(name);
      for (const kind of flagKinds) {
        // An environment that saw the flag already in a lookup needs no notification.
        if ((flagged & flagBits[kind]) !== 0 || !lists.isListed(kind, domain)) continue;
        notifier.add({ owner, domain: lists.entryBehind(kind, domain), kind });
      }
    }
    await notifier.flushWhenFull();
    await renew();
  }
  return notifier.flush();
}
