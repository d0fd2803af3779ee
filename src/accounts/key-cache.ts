import type { Caller } from '../http/endpoint.ts';
import { boundedMap } from '../memory/bounded-map.ts';
import { ownText } from '../memory/own-text.ts';
import { accountCaller } from './account-caller.ts';
import { isPossibleKey, keyDigest } from './key-text/key-format.ts';
import type { KeysStore } from './keys-store.ts';
import type { Plan } from './plans.ts';

/** Who a key belongs to, from memory where possible. */
export interface KeyCache {
  identify(key: string): Caller | null | Promise<Caller | null>;
  /** Whether the key was valid here within the last ten minutes, to the second, as far as has been heard. */
  isKnown(key: string): boolean;
  /** Looks at every key in memory, one at a time: its id if it was used in the second of a moment of the monotonic clock or later, else null. */
  usedSince(sinceMs: number): Iterable<string | null>;
  /** Forgets an account's keys and every refusal: a key was made or revoked, or the plan changed. */
  forgetAccount(accountId: string): void;
  forgetAll(): void;
  /** How many keys are in memory. */
  size(): number;
}

/** A key whose caller may have changed since it was read (`caller` is null) is still known as one that was valid. */
interface SeenKey {
  caller: Caller | null;
  /** When the key stops working, by the monotonic clock; null: never. */
  readonly endsAtMs: number | null;
  /** Whole and small, so that the number is kept in the object, not beside it. */
  seenAtSecond: number;
  readonly accountId: string;
  readonly keyId: string;
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
  const entries = boundedMap<string, SeenKey>(maxCallers);
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
    const caller = accountCaller(found.account, plans, found.key.environment, found.key.id);
    // A revocation that arrived while the query ran must not be overwritten by its older answer.
    const { accountId, keyId } = caller;
    const nowMs = monotonicMs();
    const kept = asked === generation ? caller : null;
    const endsAtMs = endsInMs === null ? null : nowMs + endsInMs;
    entries.set(key, { caller: kept, endsAtMs, seenAtSecond: secondOf(nowMs), accountId, keyId });
    return caller;
  };

  return {
    identify(key) {
      const entry = entries.get(key);
      if (entry !== undefined && entry.caller !== null) {
        const nowMs = monotonicMs();
        if (entry.endsAtMs === null || nowMs < entry.endsAtMs) {
          entry.seenAtSecond = secondOf(nowMs);
          return entry.caller;
        }
        entries.delete(key);
      }
      if (!isPossibleKey(key)) return null;
      const refusedUntilMs = refusals.get(key);
      if (refusedUntilMs !== undefined && refusedUntilMs > monotonicMs()) return null;
      // A key is cut from a header that a stranger may have made long.
      const pending = asking.get(key) ?? ask(ownText(key)).finally(() => asking.delete(key));
      asking.set(key, pending);
      return pending;
    },
    isKnown(key) {
      const entry = entries.get(key);
      return entry !== undefined && monotonicMs() - entry.seenAtSecond * 1_000 <= knownMs;
    },
    *usedSince(sinceMs) {
      const since = secondOf(sinceMs);
      for (const [, { keyId, seenAtSecond }] of entries.entries()) yield seenAtSecond >= since ? keyId : null;
    },
    forgetAccount(accountId) {
      generation += 1;
      refusals.clear();
      for (const [, entry] of entries.entries()) if (entry.accountId === accountId) entry.caller = null;
    },
    forgetAll() {
      generation += 1;
      refusals.clear();
      for (const [, entry] of entries.entries()) entry.caller = null;
    },
    size: () => entries.size,
  };
}

function secondOf(atMs: number): number {
  return Math.floor(atMs / 1_000);
}
