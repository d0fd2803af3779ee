import { boundedMap } from '../../memory/bounded-map.ts';

/** Makes guessing of passwords slow, and slower the longer it goes on. */
export interface SignInThrottle {
  /** Seconds until the next try; 0 counts this one, which is taken for a wrong one until it turns out right. */
  begin(email: string, from: string): number;
  succeeded(email: string, from: string): void;
  /** The try was never made. */
  withdrawn(email: string, from: string): void;
}

interface Tries {
  count: number;
  lastMs: number;
}

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
const maxEntries = 20_000;

/** `groupOf` says which IP addresses are one place; `monotonicMs` must never go back. */
export function createSignInThrottle(groupOf: (ip: string) => string, monotonicMs: () => number): SignInThrottle {
  const byPair = boundedMap<string, Tries>(maxEntries);
  const byName = boundedMap<string, Tries>(maxEntries);
  const byPlace = boundedMap<string, Tries>(maxEntries);
  /** Where somebody has come in before: strangers who guess at their name elsewhere do not make them wait. */
  const trusted = boundedMap<string, true>(maxEntries);

  const countersOf = (email: string, from: string) => {
    const place = groupOf(from);
    const pair = `${email} ${place}`;
    return [
      { map: byPair, key: pair, rule: pairRule, holds: true },
      { map: byName, key: email, rule: nameRule, holds: trusted.get(pair) === undefined },
      { map: byPlace, key: place, rule: placeRule, holds: true },
    ];
  };
  const triesOf = (map: typeof byPair, key: string): Tries => {
    const tries = map.get(key);
    return tries === undefined || monotonicMs() - tries.lastMs > forgetMs ? { count: 0, lastMs: 0 } : tries;
  };
  const takeBack = (map: typeof byPair, key: string): void => {
    const tries = map.get(key);
    if (tries !== undefined) tries.count -= 1;
  };

  return {
    begin(email, from) {
      const nowMs = monotonicMs();
      const counters = countersOf(email, from);
      const waits = counters.map(({ map, key, rule, holds }) => {
        const { count, lastMs } = triesOf(map, key);
        return holds ? lastMs + waitAfter(count, rule) - nowMs : 0;
      });
      const waitMs = Math.max(...waits);
      if (waitMs > 0) return Math.ceil(waitMs / 1_000);
      for (const { map, key } of counters) map.set(key, { count: triesOf(map, key).count + 1, lastMs: nowMs });
      return 0;
    },
    succeeded(email, from) {
      const place = groupOf(from);
      const pair = `${email} ${place}`;
      byPair.delete(pair);
      byName.delete(email);
      // Only its own try: somebody with a password of their own must not be able to wipe out guesses at others'.
      takeBack(byPlace, place);
      trusted.set(pair, true);
    },
    withdrawn(email, from) {
      for (const { map, key } of countersOf(email, from)) takeBack(map, key);
    },
  };
}

/** How long after so many tries the next one has to wait. */
function waitAfter(count: number, { free, longestMs }: Rule): number {
  return count < free ? 0 : Math.min(longestMs, firstWaitMs * 2 ** (count - free));
}
