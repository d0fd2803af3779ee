import { reversedName } from '../address/reversed-name.ts';
import type { YieldWhenDue } from '../platform/yielding.ts';
import { type FlagKind, flagBits, flagKinds } from '../seen/flag-kinds.ts';
import type { SeenName } from '../seen/seen-block.ts';
import type { Wanted } from '../seen/seen-search.ts';
import { type AnnouncerOptions, createAnnouncer } from './announcer.ts';
import { type CompareOptions, compareAlone } from './compare-alone.ts';

/** The lists, as lookups ask them, and how they differ from what they were. */
export interface FlagLists<Revision extends object> {
  /** Another object after every change. */
  readonly revision: Revision;
  isDisposable(name: string): boolean;
  isRelay(name: string): boolean;
  isSpam(name: string): boolean;
  /** The name, its own or one above it, whose entry flags it. */
  entryBehind(kind: FlagKind, name: string): string;
  changedSince(revision: Revision, yieldWhenDue: YieldWhenDue): Promise<ReadonlySet<string>>;
  digest(yieldWhenDue: YieldWhenDue): Promise<string>;
}

/** What was seen of some names and below them. */
export type SearchSeen = (wanted: Wanted, yieldWhenDue: YieldWhenDue) => AsyncIterable<readonly SeenName[]>;

/** What comparing lists needs. */
export interface ListsComparisonOptions<Revision extends object> {
  readonly lists: FlagLists<Revision>;
  readonly search: SearchSeen;
  readonly comparing: CompareOptions;
  readonly announcing: AnnouncerOptions;
  readonly createYielder: () => YieldWhenDue;
  readonly monotonicMs: () => number;
}

/** Other processes have written by then what they saw before the lists changed, or have just changed theirs. */
export const settleMs = 5_000;
/** Names between two turns of others. */
const namesAtOnce = 500;

/**
 * Looks for seen domains that the lists flag since they changed; called again and again, and does something only after a change. How
 * many domains environments were told of. What was compared is known by its digest: a process that starts, or another one whose lists
 * changed alike, does nothing; one that finds another digest than its own at the start looks at everything that was seen.
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
    if (monotonicMs() - noticedAtMs < settleMs) return 0;
    let told = 0;
    const isDone = await compareAlone('lists', comparing, async (held) => {
      const yieldWhenDue = createYielder();
      const digest = await lists.digest(yieldWhenDue);
      if (held.compared === digest) return digest;
      const changed = compared === null ? null : await lists.changedSince(compared, yieldWhenDue);
      const wanted = changed && (await reversedNames(changed, yieldWhenDue));
      told = await tellOfFlagged(wanted, yieldWhenDue, held.renew, options);
      return digest;
    });
    if (isDone) compared = revision;
    return told;
  };
}

async function reversedNames(names: ReadonlySet<string>, yieldWhenDue: YieldWhenDue): Promise<ReadonlySet<string>> {
  const reversed = new Set<string>();
  for (const name of names) {
    reversed.add(reversedName(name));
    if (reversed.size % namesAtOnce === 0) await yieldWhenDue();
  }
  return reversed;
}

async function tellOfFlagged<Revision extends object>(
  wanted: Wanted,
  yieldWhenDue: YieldWhenDue,
  renew: () => Promise<void>,
  { lists, search, announcing }: ListsComparisonOptions<Revision>,
): Promise<number> {
  const announcer = createAnnouncer(announcing);
  let looked = 0;
  for await (const names of search(wanted, yieldWhenDue)) {
    for (const { name, by } of names) {
      looked += 1;
      if (looked % namesAtOnce === 0) await yieldWhenDue();
      const domain = reversedName(name);
      for (const kind of flagKinds) {
        if (!isListed(lists, kind, domain)) continue;
        const flagged = lists.entryBehind(kind, domain);
        // Who saw it as what it is now was told then.
        for (const seen of by)
          if ((seen.flagged & flagBits[kind]) === 0) announcer.add({ owner: seen.owner, domain: flagged, kind });
      }
    }
    await announcer.tellSome();
    await renew();
  }
  return announcer.end();
}

function isListed(lists: FlagLists<object>, kind: FlagKind, domain: string): boolean {
  if (kind === 'disposable') return lists.isDisposable(domain);
  return kind === 'relay' ? lists.isRelay(domain) : lists.isSpam(domain);
}
