/** A key that may be evicted. */
export interface Evictable {
  readonly slot: number;
  readonly bytes: number;
  /** The group of its owner. */
  readonly group: number;
  /** When it was last used; small numbers are evicted first. */
  readonly usedAt: number;
}

/**
 * Chooses the keys to evict so that the others take at most so many bytes: keys of the largest groups of owners, so that no group keeps
 * more than the largest share that is possible for all.
 */
export function chooseEvicted(keys: readonly Evictable[], maxBytes: number): Evictable[] {
  const byGroup = Map.groupBy(keys, ({ group }) => group);
  const bytesBy = new Map([...byGroup].map(([group, own]) => [group, bytesOf(own)]));
  const share = largestShare([...bytesBy.values()], maxBytes);
  const evicted: Evictable[] = [];
  // Keys are whole, so a group frees more or less than its excess; the difference carries over to the next group.
  let excess = 0;
  for (const [group, own] of byGroup) {
    const bytes = bytesBy.get(group) ?? 0;
    if (bytes <= share) continue;
    excess += bytes - share;
    for (const key of oldestOf(own, excess)) {
      excess -= key.bytes;
      evicted.push(key);
    }
  }
  return evicted;
}

function bytesOf(keys: readonly Evictable[]): number {
  return keys.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The least recently used keys that take at most so many bytes together. */
function oldestOf(keys: readonly Evictable[], maxBytes: number): Evictable[] {
  const byAge = [...Map.groupBy(keys, ({ usedAt }) => usedAt)].sort(([one], [other]) => one - other);
  const oldest: Evictable[] = [];
  let left = maxBytes;
  for (const [, sameAge] of byAge) {
    const bytes = bytesOf(sameAge);
    if (bytes > left) return [...oldest, ...evenly(sameAge, left / bytes)];
    oldest.push(...sameAge);
    left -= bytes;
  }
  return oldest;
}

/** A part of the keys, evenly over the slots: otherwise the others would cluster. */
function evenly(keys: readonly Evictable[], part: number): Evictable[] {
  let due = 0;
  return keys.filter(() => {
    due += part;
    if (due < 1) return false;
    due -= 1;
    return true;
  });
}

/** The largest number to which amounts must be cut so that their sum is at most `target` (max-min fairness). */
export function largestShare(amounts: readonly number[], target: number): number {
  let left = target;
  for (const [index, amount] of amounts.toSorted((one, other) => one - other).entries()) {
    const share = left / (amounts.length - index);
    if (amount > share) return share;
    left -= amount;
  }
  return target;
}
