import type { YieldWhenDue } from '../../platform/yielding.ts';
import type { Erasable } from '../../traffic/observation.ts';
import { madeAtMs, ObservationBlock, word, wordsEach } from '../../traffic/observation-block.ts';
import { isRow, keyOf, ObservedRow } from './observed-row.ts';

/** The recent decisions of every environment. */
export interface ObservationWindow {
  add(block: ObservationBlock, place: number): void;
  /** Removes erased subjects. */
  erase(block: ObservationBlock, place: number, what: Erasable): void;
  /** The owners' keys. */
  owners(): Iterable<number>;
  /** The number of an owner's decisions, erased ones included. */
  count(owner: number): number;
  /** An owner's rows since a moment in the order of their times, until the window changes. */
  rows(owner: number, sinceMs: number, yieldWhenDue: YieldWhenDue): Promise<ObservedRow[]>;
  /** Whether rows of an owner arrived since they were last examined. */
  hasNews(owner: number): boolean;
  examined(owner: number): void;
  /** Drops old rows once they are a tenth of an owner's. */
  dropBefore(atMs: number): void;
  size(): number;
}

/** Up to 20 MB, in one of the processes that share a database. Beyond it, the environment with the most decisions loses its oldest rows. */
const maxRows = 100_000;
const droppedShare = 0.1;

interface Owned {
  /** In the order in which they arrived: processes write at different moments. */
  readonly block: ObservationBlock;
  hasNews: boolean;
}

export function createObservationWindow(most = maxRows): ObservationWindow {
  const byOwner = new Map<number, Owned>();
  let size = 0;
  const shrink = (): void => {
    let largest = new ObservationBlock();
    for (const { block } of byOwner.values()) if (block.length > largest.length) largest = block;
    const dropped = Math.ceil(largest.length * droppedShare);
    largest.dropFirst(dropped);
    size -= dropped;
  };
  return {
    add(block, place) {
      if (!isRow(block, place)) return;
      const owner = keyOf(block.hash(place + word.owner));
      let owned = byOwner.get(owner);
      if (owned === undefined) {
        owned = { block: new ObservationBlock(new Int32Array(wordsEach)), hasNews: true };
        byOwner.set(owner, owned);
      }
      owned.hasNews = true;
      owned.block.copy(block, place);
      // No wave has counted it; see `ObservedRow.wave`.
      owned.block.set(owned.block.end - wordsEach + word.decision, 0);
      size += 1;
      if (size > most) shrink();
    },
    erase(from, place, what) {
      const { hi, lo } = from.hash(place + word[what]);
      for (const { block } of byOwner.values()) {
        for (let at = 0; at < block.end; at += wordsEach) {
          const hash = block.hash(at + word[what]);
          if (hash.hi === hi && hash.lo === lo) block.setHash(at + word.address, nothing);
        }
      }
    },
    owners: () => byOwner.keys(),
    count: (owner) => byOwner.get(owner)?.block.length ?? 0,
    async rows(owner, sinceMs, yieldWhenDue) {
      const block = byOwner.get(owner)?.block;
      const rows: ObservedRow[] = [];
      if (block === undefined) return rows;
      let lastMs = 0;
      let isInOrder = true;
      for (let place = 0; place < block.end; place += wordsEach) {
        const turn = place % (64 * wordsEach) === 0 ? yieldWhenDue() : null;
        if (turn !== null) await turn;
        const atMs = madeAtMs(block, place);
        if (atMs < sinceMs || !isRow(block, place)) continue;
        rows.push(new ObservedRow(block, place));
        isInOrder &&= atMs >= lastMs;
        lastMs = atMs;
      }
      return isInOrder ? rows : rows.sort((one, other) => one.atMs - other.atMs);
    },
    hasNews: (owner) => byOwner.get(owner)?.hasNews ?? false,
    examined(owner) {
      const owned = byOwner.get(owner);
      if (owned !== undefined) owned.hasNews = false;
    },
    dropBefore(atMs) {
      size = 0;
      for (const [owner, { block }] of byOwner) {
        const old = oldOf(block, atMs);
        if (old === block.length) byOwner.delete(owner);
        else if (old >= block.length * droppedShare) block.dropFirst(old);
        size += byOwner.has(owner) ? block.length : 0;
      }
    },
    size: () => size,
  };
}

const nothing = { hi: 0, lo: 0 };

/** How many observations come before the first one since a moment. */
function oldOf(block: ObservationBlock, atMs: number): number {
  let count = 0;
  while (count < block.length && madeAtMs(block, count * wordsEach) < atMs) count += 1;
  return count;
}
