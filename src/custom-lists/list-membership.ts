import type { Owner } from '../http/endpoint.ts';
import { createEviction, type Evictable } from '../platform/eviction.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import type { KeyChange } from './custom-list.ts';
import { scopeOf } from './custom-lists-store.ts';
import { createListMembers, type ListMembers } from './list-members.ts';
import type { ListHead, ListMembershipStore } from './list-membership-store.ts';

/** A reference to a list; its members may be evicted from memory and loaded again. */
export interface ListHandle {
  readonly listId: string;
  /** Null for a list that does not exist, and after an eviction until the next `load`. */
  readonly members: Pick<ListMembers, 'kind' | 'has'> | null;
}

/** Custom lists in memory, loaded when a rule needs them. */
export interface ListMembership {
  /** Handles of an owner's lists; `load` fills them. */
  handles(owner: Owner, listIds: readonly string[]): readonly ListHandle[];
  /** Null when all are in memory, otherwise a promise that rejects if storage is unavailable. */
  load(handles: readonly ListHandle[]): Promise<void> | null;
  /** Call after this process has committed changes to the entries of a list. */
  changedHere(owner: Owner, listId: string, changes: readonly KeyChange[]): void;
  /** Call after this process has removed a list. */
  removedHere(owner: Owner, listId: string): void;
  /** Call when any process has changed a list of this scope. */
  changed(scope: string): void;
  /** Call when any list may have changed. */
  changedAll(): void;
  /** The approximate number of entries in memory. */
  size(): number;
}

/** The dependencies of the membership, and its memory limit. */
export interface ListMembershipOptions {
  readonly store: ListMembershipStore;
  readonly now: () => number;
  /** Called when changes cannot be read; the next decision retries. */
  readonly onError: (error: unknown) => void;
  readonly maxEntries?: number;
}

/** More than one environment may have: 65 to 130 MB, twice that if all of them expire. */
const defaultMaxEntries = 6_000_000;
/** The fixed memory cost of a list, in entries. */
const listOverhead = 64;
/** Rows per read; the event loop runs in between. */
const chunk = 2_000;

/** A list in memory. */
interface KeptList extends Evictable {
  readonly id: string;
  readonly of: Kept;
  /** Null for a list that does not exist. */
  members: ListMembers | null;
  /** `members` contains every change up to this number. */
  seq: number;
  /** Resolves when it is loaded for the first time; null from then on. */
  loading: Promise<void> | null;
}

/** The lists of one owner. */
interface Kept {
  readonly owner: Owner;
  readonly lists: Map<string, KeptList>;
  /** Incremented whenever a list may have changed; the lists are current while `done` equals it. */
  wanted: number;
  done: number;
  isFollowing: boolean;
}

class Handle implements ListHandle {
  readonly owner: Owner;
  readonly listId: string;
  list: KeptList | null = null;

  constructor(owner: Owner, listId: string) {
    this.owner = owner;
    this.listId = listId;
  }

  get members(): ListMembers | null {
    return this.list?.members ?? null;
  }
}

/**
 * Loads a list on first use and then applies its changes by number. While changes are being read, decisions use the list as it
 * was. Above the limit the least recently used lists are evicted. A decision in progress whose list is evicted at that
 * moment finds the condition unknown.
 */
export function createListMembership(options: ListMembershipOptions): ListMembership {
  const { store, now, onError, maxEntries = defaultMaxEntries } = options;
  const owners = new Map<string, Kept>();
  let uses = 0;

  const keptOf = (owner: Owner): Kept => {
    const scope = scopeOf(owner);
    const known = owners.get(scope);
    if (known !== undefined) return known;
    const { accountId, environment } = owner;
    const kept = { owner: { accountId, environment }, lists: new Map(), wanted: 0, done: 0, isFollowing: false };
    owners.set(scope, kept);
    return kept;
  };
  const eviction = createEviction<KeptList>(maxEntries, (list) => {
    const { lists, owner } = list.of;
    lists.delete(list.id);
    if (lists.size === 0) owners.delete(scopeOf(owner));
    list.members = null;
  });
  const updateWeight = (list: KeptList): void => eviction.resize(list, (list.members?.size ?? 0) + listOverhead);
  const apply = (list: KeptList, changes: readonly KeyChange[]): void => {
    for (const { seq, key, change } of changes) {
      // This process may have applied its own changes meanwhile; an older result must not undo them.
      if (seq <= list.seq) continue;
      if (change === 'removed') list.members?.delete(key);
      else list.members?.add(key, change.expiresAtMs);
      list.seq = seq;
    }
    updateWeight(list);
  };
  /** False when the missing changes have been pruned. */
  const catchUp = async (list: KeptList, head: ListHead): Promise<boolean> => {
    for (;;) {
      const changes = await store.changesAfter(list.id, list.seq, chunk);
      if (changes === null) return false;
      apply(list, changes);
      if (changes.length < chunk) break;
      await yieldToEventLoop();
    }
    list.seq = Math.max(list.seq, head.seq);
    return true;
  };
  const readAll = async (list: KeptList, head: ListHead): Promise<void> => {
    const members = createListMembers(head.kind, head.total, now);
    for (let seq = 0; ; ) {
      const rows = await store.entriesAfter(list.id, seq, chunk);
      for (const { key, change } of rows) if (change !== 'removed') members.add(key, change.expiresAtMs);
      const last = rows.at(-1);
      if (last === undefined || rows.length < chunk) break;
      seq = last.seq;
      await yieldToEventLoop();
    }
    // An evicted list must not fill memory again.
    if (list.isEvicted) return;
    list.members = members;
    list.seq = head.seq;
    updateWeight(list);
  };
  /** Loads a list, or brings it up to date. */
  const refresh = async (list: KeptList, head: ListHead | undefined): Promise<void> => {
    if (head === undefined) {
      list.members = null;
      list.seq = 0;
      updateWeight(list);
      return;
    }
    if (list.members !== null && (list.seq === head.seq || (await catchUp(list, head)))) return;
    do await readAll(list, head);
    while (!(await catchUp(list, head)));
  };
  const follow = async (kept: Kept): Promise<void> => {
    if (kept.isFollowing) return;
    kept.isFollowing = true;
    try {
      while (kept.done !== kept.wanted) {
        const target = kept.wanted;
        const heads = await store.heads(kept.owner);
        for (const list of [...kept.lists.values()]) {
          if (list.loading === null && !list.isEvicted) await refresh(list, heads.get(list.id));
        }
        kept.done = target;
      }
    } catch (error) {
      onError(error);
    } finally {
      kept.isFollowing = false;
    }
  };
  const expectChange = (kept: Kept): void => {
    kept.wanted += 1;
    follow(kept);
  };
  const begin = (kept: Kept, id: string): KeptList => {
    const state = { members: null, seq: 0, usedAt: uses, isEvicted: false, loading: null, weight: 0 };
    const list: KeptList = { id, of: kept, ...state };
    kept.lists.set(id, list);
    eviction.add(list);
    const load = async (): Promise<void> => {
      try {
        // A change that arrives meanwhile may be missing from what was read.
        for (let seen = -1; seen !== kept.wanted; ) {
          seen = kept.wanted;
          await refresh(list, (await store.heads(kept.owner)).get(id));
        }
      } catch (error) {
        if (!list.isEvicted) eviction.evict(list);
        throw error;
      } finally {
        list.loading = null;
      }
    };
    list.loading = load();
    return list;
  };
  const fill = async (handle: Handle): Promise<void> => {
    do {
      const kept = keptOf(handle.owner);
      handle.list = kept.lists.get(handle.listId) ?? begin(kept, handle.listId);
      handle.list.usedAt = uses;
      await handle.list.loading;
    } while (handle.list.isEvicted);
  };

  return {
    handles: (owner, listIds) => listIds.map((listId) => new Handle(owner, listId)),
    load(handles) {
      uses += 1;
      let pending: Promise<void>[] | null = null;
      for (const handle of handles as readonly Handle[]) {
        const { list } = handle;
        if (list === null || list.isEvicted || list.loading !== null) {
          pending ??= [];
          pending.push(fill(handle));
          continue;
        }
        list.usedAt = uses;
        // Changes that could not be read are read again.
        if (list.of.done !== list.of.wanted) follow(list.of);
      }
      return pending === null ? null : Promise.all(pending).then(() => {});
    },
    changedHere(owner, listId, changes) {
      const kept = owners.get(scopeOf(owner));
      const list = kept?.lists.get(listId);
      const first = changes[0]?.seq ?? 0;
      if (kept === undefined || list === undefined) return;
      if (list.loading !== null || list.members === null || first !== list.seq + 1) expectChange(kept);
      else apply(list, changes);
    },
    removedHere(owner, listId) {
      const list = owners.get(scopeOf(owner))?.lists.get(listId);
      if (list !== undefined) eviction.evict(list);
    },
    changed(scope) {
      const kept = owners.get(scope);
      if (kept !== undefined) expectChange(kept);
    },
    changedAll() {
      for (const kept of owners.values()) expectChange(kept);
    },
    size: eviction.total,
  };
}
