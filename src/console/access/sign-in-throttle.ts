import { hash } from 'node:crypto';
import type { SignInTriesStore } from './sign-in-tries-store.ts';

/** Makes guessing of passwords slow, and slower the longer it goes on, whichever process is asked. */
export interface SignInThrottle {
  /** Seconds until the next try; counts nothing. */
  wait(email: string, from: string): Promise<number>;
  /** The same; 0 counts this try, which is taken for a wrong one until it turns out right. */
  begin(email: string, from: string): Promise<number>;
  succeeded(email: string, from: string): Promise<void>;
  /** Removes what no longer counts. */
  prune(): Promise<void>;
}

/** How often something was tried, and when last. */
export interface Tries {
  readonly count: number;
  readonly lastMs: number;
}

/** Tries by the hash of what is counted; without an entry there were none. */
export type TriesByHash = ReadonlyMap<string, Tries>;

/** So many tries at once; then each costs twice the wait of the one before, up to a longest. */
interface Rule {
  readonly free: number;
  readonly longestMs: number;
}

/** One person at one place, who has forgotten a password or guesses. */
const pairRule: Rule = { free: 3, longestMs: 900_000 };
/** One name from everywhere: short waits, for strangers must not be able to keep somebody out. */
const nameRule: Rule = { free: 10, longestMs: 60_000 };
/** One place, many names. */
const placeRule: Rule = { free: 20, longestMs: 900_000 };

const firstWaitMs = 1_000;
/** Tries this long ago are forgotten. */
const forgetMs = 3_600_000;
/** Where somebody came in is remembered as long as a session can last. */
const knownMs = 30 * 24 * 3_600_000;

/** `groupOf` says which IP addresses are one place; `now` is the wall clock. */
export function createSignInThrottle(
  store: SignInTriesStore,
  groupOf: (ip: string) => string,
  now: () => number,
): SignInThrottle {
  /** Seconds that the strictest rule asks for. */
  const secondsOf = ({ pair, name, place, known }: Counted, tries: TriesByHash): number => {
    const nowMs = now();
    const waitOf = (counted: string, rule: Rule): number => waitAfter(tries.get(counted), rule, nowMs);
    // Strangers who guess at somebody's name elsewhere do not make them wait where they have come in before.
    const ofName = tries.has(known) ? 0 : waitOf(name, nameRule);
    return Math.ceil(Math.max(waitOf(pair, pairRule), ofName, waitOf(place, placeRule)) / 1_000);
  };
  return {
    async wait(email, from) {
      const counted = countedOf(email, groupOf(from));
      return secondsOf(counted, await store.read(Object.values(counted), now()));
    },
    async begin(email, from) {
      const counted = countedOf(email, groupOf(from));
      const { pair, name, place } = counted;
      const times = { nowMs: now(), forgetAtMs: now() + forgetMs };
      const isRefused = (tries: TriesByHash): boolean => secondsOf(counted, tries) > 0;
      return secondsOf(counted, await store.count(Object.values(counted), [pair, name, place], times, isRefused));
    },
    async succeeded(email, from) {
      const { pair, name, place, known } = countedOf(email, groupOf(from));
      const nowMs = now();
      // Of the place only its own try: somebody with a password of their own must not be able to wipe out guesses at others'.
      await store.succeed({ forgotten: [pair, name], own: place, known, nowMs, knownUntilMs: nowMs + knownMs });
    },
    prune: () => store.prune(now()),
  };
}

interface Counted {
  readonly pair: string;
  readonly name: string;
  readonly place: string;
  /** That the pair has come in before. */
  readonly known: string;
}

/** Hashed: what strangers typed is of no length that matters, and nobody's address is kept for it. */
function countedOf(email: string, place: string): Counted {
  const named = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url');
  return {
    pair: named('pair', email, place),
    name: named('name', email),
    place: named('place', place),
    known: named('known', email, place),
  };
}

/** Milliseconds that are left to wait. A clock that was set back keeps nobody out for longer than the rule does. */
function waitAfter(tries: Tries | undefined, { free, longestMs }: Rule, nowMs: number): number {
  if (tries === undefined || tries.count < free) return 0;
  const waitMs = Math.min(longestMs, firstWaitMs * 2 ** (tries.count - free));
  return Math.min(waitMs, Math.max(0, tries.lastMs + waitMs - nowMs));
}
