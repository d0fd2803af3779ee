import type { PendingEntries } from './write-behind.ts';

/** Pending entries in the order in which they were added. */
export interface PendingQueue<T> extends PendingEntries<readonly T[]> {
  /** False when the queue is full: the entry is not kept. */
  add(entry: T): boolean;
}

/** A queue of at most `max` entries: storage that is unavailable for long must not fill the memory. */
export function createPendingQueue<T>(max = Number.POSITIVE_INFINITY): PendingQueue<T> {
  let entries: T[] = [];
  return {
    size: () => entries.length,
    add(entry) {
      if (entries.length >= max) return false;
      entries.push(entry);
      return true;
    },
    take(limit) {
      if (entries.length === 0) return null;
      const taken = entries.slice(0, limit);
      entries = entries.slice(limit);
      return taken;
    },
    putBack(batch) {
      entries = [...batch, ...entries];
    },
  };
}

/** Pending entries of which the newest per key counts. */
export interface PendingByKey<T> extends PendingEntries<readonly T[]> {
  add(entry: T): boolean;
  removeIf(isUnwanted: (entry: T) => boolean): void;
}

/** At most `max` keys; entries for further keys are not kept. */
export function createPendingByKey<T>(keyOf: (entry: T) => string, max = Number.POSITIVE_INFINITY): PendingByKey<T> {
  const entries = new Map<string, T>();
  return {
    size: () => entries.size,
    add(entry) {
      const key = keyOf(entry);
      if (entries.size >= max && !entries.has(key)) return false;
      entries.set(key, entry);
      return true;
    },
    removeIf(isUnwanted) {
      for (const [key, entry] of entries) if (isUnwanted(entry)) entries.delete(key);
    },
    take(limit) {
      if (entries.size === 0) return null;
      const taken: T[] = [];
      for (const [key, entry] of entries) {
        if (taken.length === limit) break;
        entries.delete(key);
        taken.push(entry);
      }
      return taken;
    },
    putBack(batch) {
      for (const entry of batch) if (!entries.has(keyOf(entry))) entries.set(keyOf(entry), entry);
    },
  };
}

/** Pending entries that are written only after a confirmation that began after they were added; without it they are dropped. */
export interface PendingConfirmation<T> extends PendingByKey<T> {
  addUnconfirmed(entry: T): boolean;
  /** Confirms or drops the unconfirmed entries that were added before the call. */
  confirm(): Promise<void>;
  dropUnconfirmed(): void;
}

export function createPendingConfirmation<T>(
  keyOf: (entry: T) => string,
  max: number,
  isConfirmed: () => Promise<boolean>,
): PendingConfirmation<T> {
  const confirmed = createPendingByKey(keyOf, max);
  const unconfirmed = createPendingByKey(keyOf, max);
  return {
    ...confirmed,
    size: () => confirmed.size() + unconfirmed.size(),
    addUnconfirmed: unconfirmed.add,
    async confirm() {
      const batch = unconfirmed.take(max) ?? [];
      if (batch.length > 0 && (await isConfirmed())) for (const entry of batch) confirmed.add(entry);
    },
    dropUnconfirmed: () => unconfirmed.removeIf(() => true),
  };
}

/** Something that knows whether it is pending. */
export interface Dirty {
  isDirty: boolean;
}

/** Objects whose state must be written, each listed once. A `Set` would be probed per request and rehash after each flush. */
export class DirtyList<T extends Dirty> implements PendingEntries<readonly T[]> {
  #dirty: T[] = [];

  size(): number {
    return this.#dirty.length;
  }

  add(entry: T): void {
    if (entry.isDirty) return;
    entry.isDirty = true;
    this.#dirty.push(entry);
  }

  take(limit: number): readonly T[] | null {
    if (this.#dirty.length === 0) return null;
    const taken = this.#dirty.slice(0, limit);
    this.#dirty = this.#dirty.slice(limit);
    for (const entry of taken) entry.isDirty = false;
    return taken;
  }

  putBack(batch: readonly T[]): void {
    for (const entry of batch) this.add(entry);
  }
}
