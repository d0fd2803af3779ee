import type { Caller } from '../http/endpoint.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { detachedCopy } from '../platform/detached-copy.ts';
import { AccountCaller, planOf } from './account-caller.ts';
import { isPossibleKey, keyDigest } from './key-text/key-format.ts';
import type { FoundKey, KeysStore } from './keys-store.ts';
import type { Plan } from './plans.ts';

/** Who a key belongs to, from memory where possible. */
export interface KeyCache {
  identify(key: string): Caller | null | Promise<Caller | null>;
  /** Whether the key was valid here within the last ten minutes, to the second, as far as has been heard. */
  isKnown(key: string): boolean;
  /** Looks at every key in memory, one at a time: its id if it was used since a moment of the monotonic clock, to the second, else null. */
  usedSince(sinceMs: number): Iterable<string | null>;
  /** Forgets an account's keys and every refusal: a key was made or revoked, or the plan changed. */
  forgetAccount(accountId: string): void;
  forgetAll(): void;
  /** How many keys are in memory. */
  size(): number;
}

/** A caller by a key. One object with what is known of the key: a request need not look into two. */
class KeyCaller extends AccountCaller {
  /** False when it may have changed since it was read; the key is still known as one that was valid. */
  isCurrent: boolean;
  /** Whole and small, so that the number is kept in the object, not beside it. */
  seenAtSecond: number;
  /** When the key stops working, by the monotonic clock; null: never. */
  readonly endsAtMs: number | null;

  constructor({ account, key }: FoundKey, plan: Plan, isCurrent: boolean, seenAtMs: number, endsAtMs: number | null) {
    super(account, plan, key.environment, key.id);
    this.isCurrent = isCurrent;
    this.seenAtSecond = secondOf(seenAtMs);
    this.endsAtMs = endsAtMs;
  }
}

const knownMs = 600_000;
const maxCallers = 50_000;
const maxRefusals = 10_000;
/** A key made by another process works within this time even when its announcement is lost. */
const refusalTtlMs = 500;

/**
 * Callers stay until a change is announced; the memory is bounded and the oldest leaves first. A refused key is
 * remembered for a moment, so that hammering with a wrong one does not become a query each.
 */
export function createKeyCache(
  store: KeysStore,
  plans: ReadonlyMap<string, Plan>,
  monotonicMs: () => number,
  now: () => number,
): KeyCache {
  const entries = boundedMap<string, KeyCaller>(maxCallers);
  const refusals = boundedMap<string, number>(maxRefusals);
  const asking = new Map<string, Promise<Caller | null>>();
  let generation = 0;

  const ask = async (key: string): Promise<Caller | null> => {
    const asked = generation;
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
    // A revocation that arrived while the query ran must not be overwritten by its older answer.
    const isCurrent = asked === generation;
    const caller = new KeyCaller(found, planOf(found.account, plans), isCurrent, nowMs, endsAtMs);
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
      // A key is cut from a header that a stranger may have made long.
      const pending = asking.get(key) ?? ask(detachedCopy(key)).finally(() => asking.delete(key));
      asking.set(key, pending);
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
