import type { Erasable } from '../traffic/observation.ts';
import { madeAtMs, ObservationBlock, word, wordsEach } from '../traffic/observation-block.ts';
import { isRow, keyOf, ObservedRow } from './observed-row.ts';

/** The recent decisions of every environment. */
export interface ObservationWindow {
  add(block: ObservationBlock, place: number): void;
  /** Removes erased subjects. */
  erase(block: ObservationBlock, place: number, what: Erasable): void;
  /** The owners' keys. */
  owners(): Iterable<number>;
  /** How many decisions of an owner there are, with those that were erased. */
  count(owner: number): number;
  /** An owner's rows since a moment in the order of their times, until the window changes. */
  rows(owner: number, sinceMs: number): ObservedRow[];
  /** Whether rows arrived since the last call for this owner. */
  takeNews(owner: number): boolean;
  /** Drops old rows once they are a tenth of an owner's. */
  dropBefore(atMs: number): void;
  size(): number;
}

/** About 9 MB, in one of the processes that share a database. Beyond it, the oldest rows of the environment with the most decisions are dropped. */
const mostRows = 100_000;
const droppedShare = 0.1;

interface Owned {
  /** In the order of their times. */
  readonly block: ObservationBlock;
  hasNews: boolean;
}

export function createObservationWindow(most = mostRows): ObservationWindow {
  const byOwner = new Map<number, Owned>();
  let size = 0;
  const shrink = (): void => {
    const [largest] = [...byOwner.values()].sort((one, other) => other.block.length - one.block.length);
    if (largest === undefined) return;
    const dropped = Math.ceil(largest.block.length * droppedShare);
    largest.block.dropFirst(dropped);
    size -= dropped;
  };
  return {
    add(block, place) {
      if (!isRow(block, place)) return;
      const owner = keyOf(block.hash(place + word.owner));
      let owned = byOwner.get(owner);
      if (owned === undefined) {
        owned = { block: new ObservationBlock(), hasNews: true };
        byOwner.set(owner, owned);
      }
      owned.hasNews = true;
      // Processes write at different moments.
      owned.block.copy(block, place, placeAfter(owned.block, madeAtMs(block, place)));
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
    rows(owner, sinceMs) {
      const block = byOwner.get(owner)?.block;
      const rows: ObservedRow[] = [];
      if (block === undefined) return rows;
      for (let place = placeAfter(block, sinceMs - 1); place < block.end; place += wordsEach) {
        if (isRow(block, place)) rows.push(new ObservedRow(block, place));
      }
      return rows;
    },
    takeNews(owner) {
      const owned = byOwner.get(owner);
      const hadNews = owned?.hasNews ?? false;
      if (owned !== undefined) owned.hasNews = false;
      return hadNews;
    },
    dropBefore(atMs) {
      size = 0;
      for (const [owner, { block }] of byOwner) {
        const old = placeAfter(block, atMs - 1) / wordsEach;
        if (old === block.length) byOwner.delete(owner);
        else if (old >= block.length * droppedShare) block.dropFirst(old);
        size += byOwner.has(owner) ? block.length : 0;
      }
    },
    size: () => size,
  };
}

const nothing = { hi: 0, lo: 0 };

/** The place after the last observation until a moment, by binary search. */
function placeAfter(block: ObservationBlock, atMs: number): number {
  let low = 0;
  let high = block.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (madeAtMs(block, middle * wordsEach) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low * wordsEach;
}
