import type { Caller, PublishableKey } from '../http/endpoint.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { detachedCopy } from '../platform/detached-copy.ts';
import { AccountCaller, planOf } from './account-caller.ts';
import { isPossibleKey, keyDigest } from './key-text/key-format.ts';
import type { FoundKey, KeysStore } from './keys-store.ts';
import type { Plan } from './plans.ts';

/** Finds the caller of a key, from memory where possible. */
export interface KeyCache {
  identify(key: string): Caller | null | Promise<Caller | null>;
  /** Whether this process last found the key valid at most ten minutes ago, to the second. The key may have been revoked since. */
  isKnown(key: string): boolean;
  /** Yields for each cached key its id if it was used since `sinceMs` (monotonic clock, to the second), else null. */
  usedSince(sinceMs: number): Iterable<string | null>;
  /** Invalidates an account's keys and all refusals, because a key was created or revoked or the account changed. */
  forgetAccount(accountId: string): void;
  forgetAll(): void;
  /** The number of cached keys. */
  size(): number;
}

/** A caller with the cached state of its key, in one object, so that a request needs one lookup. */
class KeyCaller extends AccountCaller {
  /** False when the key or account may have changed since it was read; `isKnown` still counts the key. */
  isCurrent: boolean;
  /** A small integer, which V8 stores in the object without a heap allocation. */
  seenAtSecond: number;
  /** When the key expires, by the monotonic clock; null when it does not expire. */
  readonly endsAtMs: number | null;
  readonly publishable: PublishableKey | null;

  constructor(
    { account, key }: FoundKey,
    plan: Plan,
    { isCurrent, endsAtMs }: Pick<KeyCaller, 'isCurrent' | 'endsAtMs'>,
    seenAtMs: number,
  ) {
    super(account, plan, key.environment, key.id);
    this.isCurrent = isCurrent;
    this.seenAtSecond = secondOf(seenAtMs);
    this.endsAtMs = endsAtMs;
    this.publishable = key.publishable;
  }
}

const knownMs = 600_000;
const maxCallers = 50_000;
const maxRefusals = 10_000;
/** A key created by another process works at the latest after this time, even when its announcement is lost. */
const refusalTtlMs = 500;

/**
 * Caches callers until a change is announced; the cache is bounded and evicts the oldest entry first. It also caches refused keys
 * for `refusalTtlMs`, so that repeated requests with a wrong key do not cause a query each.
 */
export function createKeyCache(
  store: KeysStore,
  plans: ReadonlyMap<string, Plan>,
  monotonicMs: () => number,
  now: () => number,
): KeyCache {
  const entries = boundedMap<string, KeyCaller>(maxCallers);
  const refusals = boundedMap<string, number>(maxRefusals);
  const loading = new Map<string, Promise<Caller | null>>();
  let generation = 0;

  const load = async (key: string): Promise<Caller | null> => {
    const generationBefore = generation;
    const found = await store.findByHash(keyDigest(key).hash);
    const expiresAtMs = found?.key.expiresAtMs ?? null;
    const endsInMs = expiresAtMs === null ? null : expiresAtMs - now();
    if (found === null || (endsInMs !== null && endsInMs <= 0)) {
      entries.delete(key);
      refusals.set(key, monotonicMs() + refusalTtlMs);
      return null;
    }
    const nowMs = monotonicMs();
    const endsAtMs = endsInMs === null ? null : nowMs + endsInMs;
    // A change announced while the query ran may be newer than the query's result.
    const isCurrent = generationBefore === generation;
    const caller = new KeyCaller(found, planOf(found.account, plans), { isCurrent, endsAtMs }, nowMs);
    entries.set(key, caller);
    return caller;
  };

  return {
    identify(key) {
      const caller = entries.get(key);
      if (caller?.isCurrent) {
        const nowMs = monotonicMs();
        if (caller.endsAtMs === null || nowMs < caller.endsAtMs) {
          caller.seenAtSecond = secondOf(nowMs);
          return caller;
        }
        entries.delete(key);
      }
      if (!isPossibleKey(key)) return null;
      const refusedUntilMs = refusals.get(key);
      if (refusedUntilMs !== undefined && refusedUntilMs > monotonicMs()) return null;
      // The key is a slice of a header, which may be long: without a copy the cache would retain the whole header.
      const pending = loading.get(key) ?? load(detachedCopy(key)).finally(() => loading.delete(key));
      loading.set(key, pending);
      return pending;
    },
    isKnown(key) {
      const caller = entries.get(key);
      return caller !== undefined && monotonicMs() - caller.seenAtSecond * 1_000 <= knownMs;
    },
    *usedSince(sinceMs) {
      const since = secondOf(sinceMs);
      for (const [, { keyId, seenAtSecond }] of entries.entries()) yield seenAtSecond >= since ? keyId : null;
    },
    forgetAccount(accountId) {
      generation += 1;
      refusals.clear();
      for (const [, caller] of entries.entries()) if (caller.accountId === accountId) caller.isCurrent = false;
    },
    forgetAll() {
      generation += 1;
      refusals.clear();
      for (const [, caller] of entries.entries()) caller.isCurrent = false;
    },
    size: () => entries.size,
  };
}

function secondOf(atMs: number): number {
  return Math.floor(atMs / 1_000);
}
