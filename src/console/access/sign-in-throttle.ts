import { hash } from 'node:crypto';
import type { SignInAttemptsStore } from './sign-in-attempts-store.ts';

/** Slows down password guessing, more with each attempt, across all processes. */
export interface SignInThrottle {
  /** Seconds until the next attempt, and whether the user has signed in from this network; does not count an attempt. */
  stateOf(email: string, from: string): Promise<{ readonly waitSeconds: number; readonly isKnown: boolean }>;
  /** Seconds until the next attempt; 0 counts this attempt as failed until it succeeds. */
  begin(email: string, from: string): Promise<number>;
  succeeded(email: string, from: string): Promise<void>;
  /** Marks the network as one from which the user has signed in. */
  remember(email: string, from: string): Promise<void>;
  /** Removes expired counts. */
  prune(): Promise<void>;
}

/** The number of attempts, and the time of the last one. */
export interface Attempts {
  readonly count: number;
  readonly lastMs: number;
}

/** Attempts by the hash of their subject; no entry means none. */
export type AttemptsByHash = ReadonlyMap<string, Attempts>;

/** The free attempts; each further one doubles the wait, up to a maximum. */
interface Rule {
  readonly free: number;
  readonly longestMs: number;
}

/** One email address from one network: a forgotten password, or guessing. */
const pairRule: Rule = { free: 3, longestMs: 900_000 };
/** One email address from anywhere: short waits, because attackers must not be able to lock a user out. */
const nameRule: Rule = { free: 10, longestMs: 60_000 };
/** One network, many email addresses. */
const placeRule: Rule = { free: 20, longestMs: 900_000 };

const firstWaitMs = 1_000;
/** Attempts older than this expire. */
const forgetMs = 3_600_000;
/** A user's known networks are kept as long as a session can last. */
const knownMs = 30 * 24 * 3_600_000;

/** `groupOf` maps an IP address to its network; `now` is the wall clock. */
export function createSignInThrottle(
  store: SignInAttemptsStore,
  groupOf: (ip: string) => string,
  now: () => number,
): SignInThrottle {
  /** The longest wait of all rules, in seconds. */
  const secondsOf = ({ pair, name, place, known }: Counted, attempts: AttemptsByHash): number => {
    const nowMs = now();
    const waitOf = (counted: string, rule: Rule): number => waitAfter(attempts.get(counted), rule, nowMs);
    // Guessing from elsewhere does not delay a user on a network where they have signed in before.
    const ofName = attempts.has(known) ? 0 : waitOf(name, nameRule);
    return Math.ceil(Math.max(waitOf(pair, pairRule), ofName, waitOf(place, placeRule)) / 1_000);
  };
  return {
    async stateOf(email, from) {
      const counted = countedOf(email, groupOf(from));
      const attempts = await store.read(Object.values(counted), now());
      return { waitSeconds: secondsOf(counted, attempts), isKnown: attempts.has(counted.known) };
    },
    async begin(email, from) {
      const counted = countedOf(email, groupOf(from));
      const { pair, name, place } = counted;
      const times = { nowMs: now(), forgetAtMs: now() + forgetMs };
      const isRefused = (attempts: AttemptsByHash): boolean => secondsOf(counted, attempts) > 0;
      return secondsOf(counted, await store.count(Object.values(counted), [pair, name, place], times, isRefused));
    },
    async succeeded(email, from) {
      const { pair, name, place, known } = countedOf(email, groupOf(from));
      const nowMs = now();
      // Only this attempt of the network's: an attacker's own successful sign-in must not reset their guesses at other users.
      await store.succeed({ forgotten: [pair, name], own: place, known, nowMs, knownUntilMs: nowMs + knownMs });
    },
    remember: (email, from) => store.keep(countedOf(email, groupOf(from)).known, now(), now() + knownMs),
    prune: () => store.prune(now()),
  };
}

interface Counted {
  readonly pair: string;
  readonly name: string;
  readonly place: string;
  /** Marks that the user has signed in from this network. */
  readonly known: string;
}

/** Hashed, so that inputs have a fixed length and no address is stored. */
function countedOf(email: string, place: string): Counted {
  const named = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url');
  return {
    pair: named('pair', email, place),
    name: named('name', email),
    place: named('place', place),
    known: named('known', email, place),
  };
}

/** The remaining wait in milliseconds. A clock that was set back does not extend it beyond the rule. */
function waitAfter(attempts: Attempts | undefined, { free, longestMs }: Rule, nowMs: number): number {
  if (attempts === undefined || attempts.count < free) return 0;
  const waitMs = Math.min(longestMs, firstWaitMs * 2 ** (attempts.count - free));
  return Math.min(waitMs, Math.max(0, attempts.lastMs + waitMs - nowMs));
}
