import type { Hash } from '../traffic/keyed-hash.ts';
import { type Erasable, memberOf } from '../traffic/observation.ts';
import { type ObservationBlock, word } from '../traffic/observation-block.ts';
import { keyOf, type ObservedRow, toRow } from './observed-row.ts';

/** The recent decisions of every environment. */
export interface ObservationWindow {
  add(block: ObservationBlock, place: number): void;
  /** Removes erased subjects. */
  erase(block: ObservationBlock, place: number, what: Erasable): void;
  /** The owners' keys; each one's rows in the order of their times. */
  owners(): Iterable<number>;
  rows(owner: number): readonly ObservedRow[];
  /** Whether rows arrived since the last call for this owner. */
  takeNews(owner: number): boolean;
  dropBefore(atMs: number): void;
  size(): number;
}

/** About 20 MB, in one of the processes that share a database. Beyond it, the oldest rows of the environment with the most decisions are dropped. */
const mostRows = 100_000;

interface Owned {
  rows: ObservedRow[];
  hasNews: boolean;
}

export function createObservationWindow(most = mostRows): ObservationWindow {
  const byOwner = new Map<number, Owned>();
  let size = 0;
  const shrink = (): void => {
    const [largest] = [...byOwner.values()].sort((one, other) => other.rows.length - one.rows.length);
    if (largest === undefined) return;
    const dropped = Math.ceil(largest.rows.length / 10);
    largest.rows.splice(0, dropped);
    size -= dropped;
  };
  return {
    add(block, place) {
      const row = toRow(block, place);
      if (row === null) return;
      const owner = keyOf(block.hash(place + word.owner));
      let owned = byOwner.get(owner);
      if (owned === undefined) {
        owned = { rows: [], hasNews: true };
        byOwner.set(owner, owned);
      }
      owned.hasNews = true;
      const { rows } = owned;
      const last = rows.at(-1);
      if (last === undefined || last.atMs <= row.atMs) rows.push(row);
      // Processes write at different moments.
      else rows.splice(rows.findLastIndex(({ atMs }) => atMs <= row.atMs) + 1, 0, row);
      size += 1;
      if (size > most) shrink();
    },
    erase(block, place, what) {
      const erased = block.hash(place + word[what]);
      for (const owned of byOwner.values()) {
        owned.rows = owned.rows.filter((row) => !isErased(row, erased, what));
      }
    },
    owners: () => byOwner.keys(),
    rows: (owner) => byOwner.get(owner)?.rows ?? [],
    takeNews(owner) {
      const owned = byOwner.get(owner);
      const hadNews = owned?.hasNews ?? false;
      if (owned !== undefined) owned.hasNews = false;
      return hadNews;
    },
    dropBefore(atMs) {
      size = 0;
      for (const [owner, owned] of byOwner) {
        const first = owned.rows.findIndex((row) => row.atMs >= atMs);
        if (first > 0) owned.rows.splice(0, first);
        if (first < 0) byOwner.delete(owner);
        else size += owned.rows.length;
      }
    },
    size: () => size,
  };
}

function isErased(row: ObservedRow, hash: Hash, what: Erasable): boolean {
  if (what === 'domain') return row.domain === keyOf(hash);
  return (what === 'address' ? row.address : row.ip) === memberOf(hash);
}
