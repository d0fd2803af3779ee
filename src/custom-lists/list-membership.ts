import type { Owner } from '../http/endpoint.ts';
import { scopeOf } from '../owner-scope.ts';
import { createFollowedSets, type FollowedSet, type KeyChange } from '../platform/followed-sets.ts';
import { createListMembers, type ListMembers } from './list-members.ts';
import type { ListHead, ListMembershipStore, ListRef } from './list-membership-store.ts';

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

type List = FollowedSet<ListRef, ListMembers>;

class Handle implements ListHandle {
  readonly ref: ListRef;
  readonly listId: string;
  list: List | null = null;

  constructor(ref: ListRef) {
    this.ref = ref;
    this.listId = ref.listId;
  }

  get members(): ListMembers | null {
    return this.list?.members ?? null;
  }
}

/**
 * Follows each list from its first use on. While changes are being read, decisions use the list as it was. A decision in progress
 * whose list is evicted at that moment finds the condition unknown.
 */
export function createListMembership(options: ListMembershipOptions): ListMembership {
  const { store, now, onError, maxEntries = defaultMaxEntries } = options;
  /** By scope and id. */
  const owners = new Map<string, Map<string, List>>();
  const sets = createFollowedSets<ListRef, ListHead, ListMembers>({
    source: store,
    create: (head) => createListMembers(head?.kind ?? 'text', head?.total ?? 0, now),
    none: null,
    maxEntries,
    onEvict(list) {
      const scope = scopeOf(list.id.owner);
      owners.get(scope)?.delete(list.id.listId);
      if (owners.get(scope)?.size === 0) owners.delete(scope);
      list.members = null;
    },
    onError,
  });
  let uses = 0;

  const find = (owner: Owner, listId: string): List | undefined => owners.get(scopeOf(owner))?.get(listId);
  const begin = (ref: ListRef): List => {
    const list = sets.begin(ref);
    const scope = scopeOf(ref.owner);
    const ofOwner = owners.get(scope) ?? new Map<string, List>();
    owners.set(scope, ofOwner.set(ref.listId, list));
    return list;
  };
  const fill = async (handle: Handle): Promise<void> => {
    const { owner, listId } = handle.ref;
    do {
      const list = find(owner, listId) ?? begin(handle.ref);
      handle.list = list;
      list.usedAt = uses;
      try {
        if (!list.isLoaded) await sets.follow(list);
      } catch (error) {
        if (!list.isEvicted) sets.evict(list);
        throw error;
      }
    } while (handle.list.isEvicted);
  };
  const expectChanges = (lists: Iterable<List> = []): void => {
    for (const list of lists) sets.expectChange(list);
  };

  return {
    handles({ accountId, environment }, listIds) {
      const owner = { accountId, environment };
      return listIds.map((listId) => new Handle({ owner, listId }));
    },
    load(handles) {
      uses += 1;
      let pending: Promise<void>[] | null = null;
      for (const handle of handles as readonly Handle[]) {
        const { list } = handle;
        if (list === null || list.isEvicted || !list.isLoaded) {
          pending ??= [];
          pending.push(fill(handle));
          continue;
        }
        list.usedAt = uses;
        // Changes that could not be read are read again.
        if (list.done !== list.wanted) sets.follow(list).catch(onError);
      }
      return pending === null ? null : Promise.all(pending).then(() => {});
    },
    changedHere(owner, listId, changes) {
      const list = find(owner, listId);
      if (list !== undefined) sets.changedHere(list, changes);
    },
    removedHere(owner, listId) {
      const list = find(owner, listId);
      if (list !== undefined) sets.evict(list);
    },
    changed: (scope) => expectChanges(owners.get(scope)?.values()),
    changedAll() {
      for (const lists of owners.values()) expectChanges(lists.values());
    },
    size: sets.size,
  };
}
