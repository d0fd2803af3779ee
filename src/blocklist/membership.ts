import type { Environment, Owner } from '../http/endpoint.ts';
import { createAttachment } from '../platform/attachment.ts';
import { createEvictionCursor } from '../platform/eviction-cursor.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import { DomainSet } from './domain-set.ts';
import type { ListHead, MembershipStore } from './membership-store.ts';
import { ownerOf } from './stored-list-store.ts';

/** Domains added or removed by this process, with consecutive numbers from `seq`. */
export interface OwnChange {
  readonly seq: number;
  readonly domains: readonly string[];
  readonly listed: boolean;
}

/** Whether a domain is listed, from memory where memory is known to be right. */
export interface Membership {
  /** From memory without a promise; else the database is asked, and its failure rejects. */
  has(owner: Owner, domain: string): boolean | Promise<boolean>;
  /** This process changed a list; the change is committed. */
  changedHere(owner: Owner, change: OwnChange): void;
  /** Some process changed the list of this scope. */
  changed(scope: string): void;
  /** Any list may have changed. */
  changedAll(): void;
  /** Entries of blocklists in memory, about. */
  size(): number;
}

/** What membership needs, and how much it may keep. */
export interface MembershipOptions {
  readonly store: MembershipStore;
  readonly monotonicMs: () => number;
  /** When changes were last looked for with success, by the same clock. */
  readonly lastLookMs: () => number;
  /** A list could not be read; it is tried again when it is next asked for. */
  readonly onError: (error: unknown) => void;
  /** Entries kept over all lists; a longer list is not kept but read from the database each time. */
  readonly maxEntries?: number;
}

/** 5,000,000 entries are 55 to 110 MB. */
const defaultMaxEntries = 5_000_000;
/** What a list costs besides its entries, counted in entries. */
const listOverhead = 64;
/** How long memory alone is trusted without a check for changes: while the storage is away, nobody changes it either. */
const believedMs = 60_000;
/** Rows read at a time; requests are served in between. */
const chunk = 2_000;

/** Shared by all that never listed anything, as most accounts, and never added to. */
const noEntries = new DomainSet();

/** What every lookup changes or looks at comes first: it is together in the processor's cache. */
interface List {
  isForgotten: boolean;
  usedAt: number;
  /** Raised by every sign that the list changed; `set` answers only while `done` has caught up with it. */
  wanted: number;
  done: number;
  /** Null until it is read, and when it is too long to be kept. */
  set: DomainSet | null;
  /** `set` holds every change up to this number. */
  seq: number;
  following: boolean;
  /** What it counted when it was last weighed. */
  kept: number;
  readonly owner: Owner;
}

/**
 * Lists are read on first use and then follow their changes by number, so a change to a million entries costs as many
 * rows as it has. While a list is read or behind, the database answers: late is slower, never wrong.
 */
export function createMembership(options: MembershipOptions): Membership {
  const { store, monotonicMs, lastLookMs, onError, maxEntries = defaultMaxEntries } = options;
  const lists: Record<Environment, Map<string, List>> = {
    production: new Map(),
    staging: new Map(),
    development: new Map(),
  };
  let uses = 0;
  let kept = 0;

  const pinned = createAttachment<List>();
  /** When each was used as far as the turn has seen; the oldest turn comes first. */
  const turns = new Map<List, number>();
  const nextInTurn = createEvictionCursor(turns);

  const find = ({ accountId, environment }: Owner): List | undefined => lists[environment]?.get(accountId);
  const begin = (owner: Owner): List => {
    const list: List = {
      isForgotten: false,
      usedAt: uses,
      wanted: 1,
      done: 0,
      set: null,
      seq: 0,
      following: false,
      kept: 0,
      owner,
    };
    lists[owner.environment].set(owner.accountId, list);
    turns.set(list, uses);
    return list;
  };
  const listOf = (owner: Owner): List => {
    const last = pinned.of(owner);
    if (last !== undefined && !last.isForgotten) return last;
    const { accountId, environment } = owner;
    const list = find(owner) ?? begin({ accountId, environment });
    pinned.put(owner, list);
    return list;
  };
  const forget = (list: List): void => {
    lists[list.owner.environment].delete(list.owner.accountId);
    list.isForgotten = true;
    kept -= list.kept;
  };
  /** Forgets the list whose turn it is, unless it was used since its last turn or is to stay. Sorting all by use would hold everybody up. */
  const makeRoom = (staying: List): void => {
    const list = nextInTurn() as List;
    const seen = turns.get(list);
    turns.delete(list);
    const isLast = turns.size === 0;
    if (!isLast && (list === staying || list.usedAt !== seen)) turns.set(list, list.usedAt);
    else forget(list);
  };
  /** Notes how much a list keeps; beyond the bound, those unused for long are forgotten, and the list itself when it does not fit alone. */
  const weigh = (list: List): void => {
    // What nobody will find again does not count.
    if (list.isForgotten) return;
    const entries = (list.set?.size ?? 0) + listOverhead;
    kept += entries - list.kept;
    list.kept = entries;
    while (kept > maxEntries) makeRoom(list);
  };
  const take = (list: List, domain: string, listed: boolean): void => {
    if (list.set === noEntries) list.set = new DomainSet();
    if (listed) list.set?.add(domain);
    else list.set?.delete(domain);
  };
  /** False when the changes that are missing can no longer be told: the set is given up. */
  const catchUp = async (list: List): Promise<boolean> => {
    for (;;) {
      const changes = await store.changesAfter(list.owner, list.seq, chunk);
      if (changes === null) list.set = null;
      if (changes === null || list.set === null) return false;
      for (const { seq, domain, listed } of changes) {
        // Own changes may have been taken in meanwhile; an older answer must not undo them.
        if (seq <= list.seq) continue;
        take(list, domain, listed);
        list.seq = seq;
      }
      weigh(list);
      if (changes.length < chunk) return true;
      await yieldToEventLoop();
    }
  };
  /** True when nothing is left to do: the list is too long to be kept, or nothing was ever listed. Else it may have changed meanwhile. */
  const read = async (list: List, head: ListHead | null): Promise<boolean> => {
    if (head !== null && head.total + listOverhead > maxEntries) return true;
    list.set = head === null ? noEntries : await readEntries(store, head);
    list.seq = head?.seq ?? 0;
    weigh(list);
    return head === null;
  };
  /** Brings a list up to date; its head is given when it is being asked for already. */
  const follow = async (list: List, head: Promise<ListHead | null> | null): Promise<void> => {
    list.following = true;
    try {
      for (let asked = head; list.done !== list.wanted; asked = null) {
        const target = list.wanted;
        const isRead = list.set === null && (await read(list, await (asked ?? store.head(list.owner))));
        // When removals were forgotten before they were seen, it starts over.
        if (isRead || (await catchUp(list))) list.done = target;
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
      if (list.done === list.wanted && list.set !== null && monotonicMs() - lastLookMs() <= believedMs) {
        return list.set.has(domain);
      }
      const contains = (): Promise<boolean> => store.contains(list.owner, domain);
      if (list.done === list.wanted || list.following) return contains();
      // Asked for just now, so that whatever was listed before is in it. Most accounts never list anything.
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
      for (const domain of domains) take(list, domain, listed);
      list.seq += domains.length;
      weigh(list);
    },
    changed(scope) {
      const list = find(ownerOf(scope));
      if (list !== undefined) expectChange(list);
    },
    changedAll() {
      for (const map of Object.values(lists)) for (const list of map.values()) list.wanted += 1;
    },
    size: () => kept,
  };
}

/** Every entry up to the head, and maybe some after it; what changed since is for the caller to catch up with. */
async function readEntries(store: MembershipStore, head: ListHead): Promise<DomainSet> {
  const set = new DomainSet({ expected: head.total });
  for (let seq = 0; ; ) {
    const rows = await store.entriesAfter(head.id, seq, chunk);
    for (const { domain } of rows) set.add(domain);
    const last = rows.at(-1);
    if (last === undefined || rows.length < chunk) return set;
    seq = last.seq;
    await yieldToEventLoop();
  }
}
