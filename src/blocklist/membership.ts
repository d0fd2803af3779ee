import type { Environment, Owner } from '../http/endpoint.ts';
import { createAttachment } from '../platform/attachment.ts';
import { createFollowedSets, type FollowedSet } from '../platform/followed-sets.ts';
import { HashedSet } from '../platform/hashed-set.ts';
import type { MembershipStore } from './membership-store.ts';
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
/** How long memory is trusted without a successful poll: while storage is unavailable, no process can change a list. */
const trustedMs = 60_000;

type List = FollowedSet<Owner, HashedSet>;

/** Follows each list from its first use on. While a list is loading or behind, the database answers: slower, but never wrong. */
export function createMembership(options: MembershipOptions): Membership {
  const { store, monotonicMs, lastLookMs, onError, maxEntries = defaultMaxEntries } = options;
  const lists: Record<Environment, Map<string, List>> = {
    production: new Map(),
    staging: new Map(),
    development: new Map(),
  };
  const pinned = createAttachment<List>();
  const sets = createFollowedSets({
    source: store,
    create: (head) => new HashedSet({ expected: head?.total ?? 0 }),
    // Shared by all accounts without a list, which are most accounts.
    none: new HashedSet(),
    maxEntries,
    onEvict: ({ id }: List) => lists[id.environment].delete(id.accountId),
    onError,
  });
  let uses = 0;

  const find = ({ accountId, environment }: Owner): List | undefined => lists[environment]?.get(accountId);
  const begin = (owner: Owner): List => {
    const list = sets.begin(owner);
    lists[owner.environment].set(owner.accountId, list);
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
  return {
    has(owner, domain) {
      uses += 1;
      const list = listOf(owner);
      list.usedAt = uses;
      if (list.done === list.wanted && list.members !== null && monotonicMs() - lastLookMs() <= trustedMs) {
        return list.members.has(domain);
      }
      const contains = (): Promise<boolean> => store.contains(list.id, domain);
      if (list.done === list.wanted || list.following !== null) return contains();
      const head = store.head(list.id);
      sets.follow(list, head).catch(onError);
      // A fresh query includes everything listed before this call. Most accounts have no list and need no second query.
      return list.members === null ? head.then((found) => found !== null && contains()) : contains();
    },
    changedHere(owner, { seq, domains, listed }) {
      const list = find(owner);
      const untilMs = listed ? Number.POSITIVE_INFINITY : 0;
      if (list === undefined) return;
      sets.changedHere(
        list,
        domains.map((key, index) => ({ seq: seq + index, key, untilMs })),
      );
    },
    changed(scope) {
      const list = find(ownerOf(scope));
      if (list !== undefined) sets.expectChange(list);
    },
    changedAll() {
      // The next query of each list reads its changes: thousands of lists together would delay requests.
      for (const map of Object.values(lists)) for (const list of map.values()) list.wanted += 1;
    },
    size: sets.size,
  };
}
