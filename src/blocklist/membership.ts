import type { Environment, Owner } from '../http/endpoint.ts';
import { createAttachment } from '../platform/attachment.ts';
import { createEviction, type Evictable } from '../platform/eviction.ts';
import { HashedSet } from '../platform/hashed-set.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import type { ListHead, MembershipStore } from './membership-store.ts';
import { ownerOf } from './stored-list-store.ts';

/** Domains added or removed by this process, with consecutive numbers from `seq`. */
export interface OwnChange {
  readonly seq: number;
  readonly domains: readonly string[];
  readonly listed: boolean;
}

/** Whether a domain is listed, from memory while the copy in memory is known to be current. */
export interface Membership {
  /** Answers from memory without a promise, otherwise queries the database and rejects if that fails. */
  has(owner: Owner, domain: string): boolean | Promise<boolean>;
  /** Call after this process has committed a change to a list. */
  changedHere(owner: Owner, change: OwnChange): void;
  /** Call when any process has changed the list of this scope. */
  changed(scope: string): void;
  /** Call when any list may have changed. */
  changedAll(): void;
  /** The approximate number of blocklist entries in memory. */
  size(): number;
}

/** The dependencies of membership, and its memory limit. */
export interface MembershipOptions {
  readonly store: MembershipStore;
  readonly monotonicMs: () => number;
  /** The time of the last successful poll for changes, on the same clock. */
  readonly lastLookMs: () => number;
  /** Called when a list cannot be read; the next query for it retries. */
  readonly onError: (error: unknown) => void;
  /** Entries kept across all lists; queries for a longer list go to the database. */
  readonly maxEntries?: number;
}

/** 5,000,000 entries take 55 to 110 MB. */
const defaultMaxEntries = 5_000_000;
/** The fixed memory cost of a list, in entries. */
const listOverhead = 64;
/** How long memory is trusted without a successful poll: while storage is unavailable, no process can change a list. */
const trustedMs = 60_000;
/** Rows per read; the event loop runs in between. */
const chunk = 2_000;

/** Shared by all accounts without a list, which are most accounts; never added to. */
const noEntries = new HashedSet();

interface List extends Evictable {
  /** Incremented whenever the list may have changed; `set` is current only while `done` equals it. */
  wanted: number;
  done: number;
  /** Null until it is loaded, and when the list is too long to keep. */
  set: HashedSet | null;
  /** `set` contains every change up to this number. */
  seq: number;
  following: boolean;
  readonly owner: Owner;
}

/**
 * Loads a list on first use and then applies its changes by number, so that a change to a list of a million entries reads
 * only the changed rows. While a list is loading or behind, the database answers: that is slower but never wrong.
 */
export function createMembership(options: MembershipOptions): Membership {
  const { store, monotonicMs, lastLookMs, onError, maxEntries = defaultMaxEntries } = options;
  const lists: Record<Environment, Map<string, List>> = {
    production: new Map(),
    staging: new Map(),
    development: new Map(),
  };
  let uses = 0;

  const pinned = createAttachment<List>();
  const eviction = createEviction<List>(maxEntries, ({ owner }) => lists[owner.environment].delete(owner.accountId));

  const find = ({ accountId, environment }: Owner): List | undefined => lists[environment]?.get(accountId);
  const begin = (owner: Owner): List => {
    const list: List = {
      isEvicted: false,
      usedAt: uses,
      wanted: 1,
      done: 0,
      set: null,
      seq: 0,
      following: false,
      weight: 0,
      owner,
    };
    lists[owner.environment].set(owner.accountId, list);
    eviction.add(list);
    return list;
  };
  const listOf = (owner: Owner): List => {
    const last = pinned.of(owner);
    if (last !== undefined && !last.isEvicted) return last;
    const { accountId, environment } = owner;
    const list = find(owner) ?? begin({ accountId, environment });
    pinned.put(owner, list);
    return list;
  };
  const updateSize = (list: List): void => eviction.resize(list, (list.set?.size ?? 0) + listOverhead);
  const apply = (list: List, domain: string, listed: boolean): void => {
    if (list.set === noEntries) list.set = new HashedSet();
    if (listed) list.set?.add(domain);
    else list.set?.delete(domain);
  };
  /** False when the missing changes have been pruned; the set is then dropped. */
  const catchUp = async (list: List): Promise<boolean> => {
    for (;;) {
      const changes = await store.changesAfter(list.owner, list.seq, chunk);
      if (changes === null) list.set = null;
      if (changes === null || list.set === null) return false;
      for (const { seq, domain, listed } of changes) {
        // This process may have applied its own changes meanwhile; an older result must not undo them.
        if (seq <= list.seq) continue;
        apply(list, domain, listed);
        list.seq = seq;
      }
      updateSize(list);
      if (changes.length < chunk) return true;
      await yieldToEventLoop();
    }
  };
  /** True when nothing is left to do: the list is too long to keep, or has never existed. Otherwise it may have changed meanwhile. */
  const load = async (list: List, head: ListHead | null): Promise<boolean> => {
    if (head !== null && head.total + listOverhead > maxEntries) return true;
    list.set = head === null ? noEntries : await readEntries(store, head);
    list.seq = head?.seq ?? 0;
    updateSize(list);
    return head === null;
  };
  /** Brings a list up to date; `head` is a query that is already in progress, or null. */
  const follow = async (list: List, head: Promise<ListHead | null> | null): Promise<void> => {
    list.following = true;
    try {
      for (let asked = head; list.done !== list.wanted; asked = null) {
        const target = list.wanted;
        const isLoaded = list.set === null && (await load(list, await (asked ?? store.head(list.owner))));
        // If removals were pruned before this process read them, the loop loads the list again.
        if (isLoaded || (await catchUp(list))) list.done = target;
      }
    } catch (error) {
      onError(error);
    } finally {
      list.following = false;
    }
  };
  const expectChange = (list: List): void => {
    list.wanted += 1;
    if (list.set !== null && !list.following) follow(list, null);
  };

  return {
    has(owner, domain) {
      uses += 1;
      const list = listOf(owner);
      list.usedAt = uses;
      if (list.done === list.wanted && list.set !== null && monotonicMs() - lastLookMs() <= trustedMs) {
        return list.set.has(domain);
      }
      const contains = (): Promise<boolean> => store.contains(list.owner, domain);
      if (list.done === list.wanted || list.following) return contains();
      // A fresh query includes everything listed before this call. Most accounts have no list and need no second query.
      const head = list.set === null ? store.head(list.owner) : null;
      follow(list, head);
      return head === null ? contains() : head.then((found) => found !== null && contains());
    },
    changedHere(owner, { seq, domains, listed }) {
      const list = find(owner);
      if (list === undefined || (list.set !== null && seq <= list.seq)) return;
      if (list.set === null || seq !== list.seq + 1) {
        expectChange(list);
        return;
      }
      for (const domain of domains) apply(list, domain, listed);
      list.seq += domains.length;
      updateSize(list);
    },
    changed(scope) {
      const list = find(ownerOf(scope));
      if (list !== undefined) expectChange(list);
    },
    changedAll() {
      for (const map of Object.values(lists)) for (const list of map.values()) list.wanted += 1;
    },
    size: eviction.total,
  };
}

/** Reads every entry up to the head, and possibly later ones; the caller then applies the changes since the head. */
async function readEntries(store: MembershipStore, head: ListHead): Promise<HashedSet> {
  const set = new HashedSet({ expected: head.total });
  for (let seq = 0; ; ) {
    const rows = await store.entriesAfter(head.id, seq, chunk);
    for (const { domain } of rows) set.add(domain);
    const last = rows.at(-1);
    if (last === undefined || rows.length < chunk) return set;
    seq = last.seq;
    await yieldToEventLoop();
  }
}
