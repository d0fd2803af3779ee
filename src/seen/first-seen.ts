import type { Owner } from '../http/endpoint.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { coveredDays, type FirstSeenStore, type SeenDays } from './first-seen-store.ts';
import { dayMs } from './sightings.ts';

/** Since when environments see registrable domains. */
export interface FirstSeen {
  /** Whole days since the environment first saw the domain, at most 30; null when that is unknown. */
  daysSince(owner: Owner, registrable: string, nowMs: number): number | null | Promise<number | null>;
  forgetAll(): void;
  size(): number;
}

const maxDomains = 50_000;
const maxDays = coveredDays - 1;

/** Reads each domain once a day: what was seen on a day does not change its first day. */
export function createFirstSeen(store: Pick<FirstSeenStore, 'load'>, retentionDays: number): FirstSeen {
  const known = boundedMap<string, number>(maxDomains);
  let today = 0;
  return {
    daysSince(owner, registrable, nowMs) {
      if (retentionDays === 0) return null;
      const day = Math.floor(nowMs / dayMs);
      if (day !== today) known.clear();
      today = day;
      const key = `${owner.accountId}/${owner.environment}/${registrable}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const keep = (seen: SeenDays | null): number => {
        const days = daysSinceFirst(seen, day, retentionDays);
        if (day === today) known.set(key, days);
        return days;
      };
      const seen = store.load(owner, registrable);
      // Storage that is unavailable fails no decision: the value is unknown.
      return seen instanceof Promise ? seen.then(keep, () => null) : keep(seen);
    },
    forgetAll: () => known.clear(),
    size: () => known.size,
  };
}

/** Days since the first of these days that is within the retention; 0 without one: it is seen today. */
export function daysSinceFirst(seen: SeenDays | null, today: number, retentionDays: number): number {
  if (seen === null) return 0;
  const bits = Array.from({ length: coveredDays }, (_, bit) => bit).filter((bit) => ((seen.days >>> bit) & 1) === 1);
  const days = [...bits.map((bit) => seen.last_day - bit), ...(seen.older_day === null ? [] : [seen.older_day])];
  const ages = days.map((day) => today - day).filter((age) => age <= retentionDays);
  return Math.min(maxDays, Math.max(0, ...ages));
}
