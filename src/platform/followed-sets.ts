import { boundedMap } from './bounded-map.ts';
import { yieldToEventLoop } from './yielding.ts';

/** A change of one key of a set. The numbers of a set's changes are consecutive. */
export interface KeyChange {
  readonly seq: number;
  readonly key: string;
  /** Until when the key is in the set from now on: infinity for good, 0 for a removal. */
  readonly untilMs: number;
}

/** The current state of a stored set: `seq` is the number of its last change. */
export interface SetHead {
  readonly seq: number;
  readonly total: number;
  /** Differs when the set was removed and created again. */
  readonly generation: number;
}

/** Reads that load a set into memory and keep it current. */
export interface SetSource<Id, Head extends SetHead> {
  /** Null for a set that does not exist. */
  head(id: Id): Promise<Head | null>;
  /** Entries with a number above `seq`, in order. */
  entriesAfter(id: Id, head: Head, seq: number, limit: number): Promise<KeyChange[]>;
  /**
   * Changes with a number above `seq`, in order, without additions that were removed since. Null when the set is gone, or
   * when removals after that number have been pruned or were encrypted with another key.
   */
  changesAfter(id: Id, seq: number, limit: number): Promise<KeyChange[] | null>;
}

/** The keys of a set in memory. */
export interface Members {
  readonly size: number;
  add(key: string, untilMs: number): void;
  delete(key: string): void;
}

/** A stored set in memory. */
export class FollowedSet<Id, M extends Members> {
  readonly id: Id;
  /** Null until the set is loaded, and for a set that is too large or does not exist. */
  members: M | null = null;
  /** Whether the set was read at least once. */
  isLoaded = false;
  /** `members` contains every change up to this number. */
  seq = 0;
  generation: number | null = null;
  /** Incremented whenever the set may have changed; `members` is current while `done` equals it. */
  wanted = 1;
  done = 0;
  following: Promise<void> | null = null;
  /** Changes with each use. */
  usedAt = 0;
  /** The last use that eviction has seen. */
  seenUsedAt = 0;
  isEvicted = false;

  constructor(id: Id) {
    this.id = id;
  }
}

/** Stored sets in memory, which follow the database by the numbers of their changes. */
export interface FollowedSets<Id, Head extends SetHead, M extends Members> {
  begin(id: Id): FollowedSet<Id, M>;
  /** Brings a set up to date; `head` is a read that has just begun. Rejects if storage is unavailable. */
  follow(set: FollowedSet<Id, M>, head?: Promise<Head | null>): Promise<void>;
  /** Call when any process may have changed the set. A set that was never read is read by its first use. */
  expectChange(set: FollowedSet<Id, M>): void;
  /** Call after this process has committed changes. */
  changedHere(set: FollowedSet<Id, M>, changes: readonly KeyChange[]): void;
  evict(set: FollowedSet<Id, M>): void;
  /** The approximate number of entries in memory. */
  size(): number;
}

export interface FollowedSetsOptions<Id, Head extends SetHead, M extends Members> {
  readonly source: SetSource<Id, Head>;
  /** The empty members of a stored set; of one that does not exist (null), `none` if it has members. */
  create(head: Head | null): M;
  /** Shared by all sets that do not exist; never added to. */
  readonly none: M | null;
  /** Entries of all sets together; a larger set is not loaded. */
  readonly maxEntries: number;
  onEvict(set: FollowedSet<Id, M>): void;
  /** Called when changes cannot be read; the next use retries. */
  onError(error: unknown): void;
}

/** The fixed memory cost of a set, in entries. */
const setOverhead = 64;
/** Rows per read; the event loop runs in between. */
const chunk = 2_000;

/**
 * Loads a set on first use and then applies its changes by number, so that a change to a set of a million entries reads only
 * the changed rows. Above the limit the least recently used sets are evicted.
 */
export function createFollowedSets<Id, Head extends SetHead, M extends Members>(
  options: FollowedSetsOptions<Id, Head, M>,
): FollowedSets<Id, Head, M> {
  type Set = FollowedSet<Id, M>;
  const { source, create, none, maxEntries, onEvict, onError } = options;
  const loaded = loadedSets<Set>(maxEntries, onEvict);

  const put = (set: Set, members: M | null, head: Head | null): void => {
    set.members = members;
    set.seq = head?.seq ?? 0;
    set.generation = head?.generation ?? null;
    loaded.weigh(set);
  };
  const apply = (set: Set, changes: readonly KeyChange[]): void => {
    for (const { seq, key, untilMs } of changes) {
      // This process may have applied its own changes meanwhile; an older result must not undo them.
      if (seq <= set.seq) continue;
      if (set.members === none) set.members = create(null);
      if (untilMs === 0) set.members?.delete(key);
      else set.members?.add(key, untilMs);
      set.seq = seq;
    }
    loaded.weigh(set);
  };
  const readAll = async (set: Set, head: Head): Promise<void> => {
    const members = create(head);
    for await (const rows of entriesOf(source, set.id, head)) {
      for (const { key, untilMs } of rows) members.add(key, untilMs);
    }
    // An evicted set must not fill memory again.
    if (!set.isEvicted) put(set, members, head);
  };
  /** False when the missing changes cannot be read one by one; the set is then dropped. */
  const catchUp = async (set: Set): Promise<boolean> => {
    for (;;) {
      const changes = await source.changesAfter(set.id, set.seq, chunk);
      if (changes === null) set.members = null;
      if (changes === null || set.members === null) return false;
      apply(set, changes);
      if (changes.length < chunk) return true;
      await yieldToEventLoop();
    }
  };
  /** True when the set contains every change up to the head. Changes since the head was read are new changes. */
  const refresh = async (set: Set, head: Head | null): Promise<boolean> => {
    if (head === null || head.total + setOverhead > maxEntries) {
      put(set, head === null ? none : null, null);
      return true;
    }
    const isOther = set.generation !== null && set.generation !== head.generation;
    if (set.members === null || isOther) {
      await readAll(set, head);
      // Entries may have been added or removed while they were read.
      return set.isEvicted || catchUp(set);
    }
    set.generation = head.generation;
    return head.seq <= set.seq || catchUp(set);
  };
  const run = async (set: Set, head: Promise<Head | null> | null): Promise<void> => {
    try {
      for (let asked = head; set.done !== set.wanted; asked = null) {
        const target = set.wanted;
        const { seq } = set;
        const found = await (asked ?? source.head(set.id));
        // This process created the set after the head was read.
        if (found === null && set.seq !== seq) continue;
        if (!(await refresh(set, found))) continue;
        set.done = target;
        set.isLoaded = true;
      }
    } finally {
      set.following = null;
    }
  };
  const follow = (set: Set, head: Promise<Head | null> | null = null): Promise<void> => {
    if (set.done !== set.wanted) set.following ??= run(set, head);
    return set.following ?? Promise.resolve();
  };
  const expectChange = (set: Set): void => {
    set.wanted += 1;
    if (set.isLoaded) follow(set).catch(onError);
  };
  return {
    begin(id) {
      const set: Set = new FollowedSet(id);
      loaded.add(set);
      return set;
    },
    follow: (set, head) => follow(set, head ?? null),
    expectChange,
    changedHere(set, changes) {
      const [first] = changes;
      if (first === undefined || (set.members !== null && first.seq <= set.seq)) return;
      if (set.members === null || first.seq !== set.seq + 1) expectChange(set);
      else apply(set, changes);
    },
    evict: loaded.evict,
    size: loaded.size,
  };
}

/** The entries of a set, a chunk at a time; the event loop runs in between. */
async function* entriesOf<Id, Head extends SetHead>(
  source: SetSource<Id, Head>,
  id: Id,
  head: Head,
): AsyncGenerator<readonly KeyChange[]> {
  for (let seq = 0; ; ) {
    const rows = await source.entriesAfter(id, head, seq, chunk);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < chunk) return;
    seq = last.seq;
    await yieldToEventLoop();
  }
}

/** Bounds the entries of all sets together. Sets that were not used recently are evicted first. */
function loadedSets<Set extends FollowedSet<unknown, Members>>(maxEntries: number, onEvict: (set: Set) => void) {
  const drop = (set: Set): void => {
    set.isEvicted = true;
    onEvict(set);
  };
  const loaded = boundedMap<Set, Set>(Number.POSITIVE_INFINITY, {
    maxWeight: maxEntries,
    wasUsed(set) {
      const wasUsed = set.usedAt !== set.seenUsedAt;
      set.seenUsedAt = set.usedAt;
      return wasUsed;
    },
    onEvict: drop,
  });
  return {
    add: (set: Set): void => loaded.set(set, set),
    weigh(set: Set): void {
      // An evicted set is unreachable and does not count.
      if (!set.isEvicted) loaded.set(set, set, (set.members?.size ?? 0) + setOverhead);
    },
    evict(set: Set): void {
      loaded.delete(set);
      drop(set);
    },
    size: (): number => loaded.weight,
  };
}
