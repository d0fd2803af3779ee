import type { Owner } from '../http/endpoint.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { coveredDays, type FirstSeenStore, type SeenDays } from './first-seen-store.ts';
import { dayMs } from './sightings.ts';

/** On which days an environment saw a domain, within the retention. */
export interface SeenHistory {
  /** Whole days since the first one, at most 30. */
  readonly sinceDays: number;
  /** Distinct days before today, at most 30. */
  readonly earlierDays: number;
}

/** Since when environments see registrable domains. */
export interface FirstSeen {
  /** Null when it is unknown. */
  historyOf(owner: Owner, registrable: string, nowMs: number): SeenHistory | null | Promise<SeenHistory | null>;
  forgetAll(): void;
  size(): number;
}

const maxDomains = 50_000;
const maxDays = coveredDays - 1;

/** Reads each domain once a day: a further sighting on a day does not change its first day. */
export function createFirstSeen(store: Pick<FirstSeenStore, 'load'>, retentionDays: number): FirstSeen {
  const known = boundedMap<string, SeenHistory>(maxDomains);
  let today = 0;
  return {
    historyOf(owner, registrable, nowMs) {
      if (retentionDays === 0) return null;
      const day = Math.floor(nowMs / dayMs);
      if (day !== today) known.clear();
      today = day;
      const key = `${owner.accountId}/${owner.environment}/${registrable}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const keep = (seen: SeenDays | null): SeenHistory => {
        const history = historyIn(seen, day, retentionDays);
        if (day === today) known.set(key, history);
        return history;
      };
      const seen = store.load(owner, registrable);
      // Storage that is unavailable fails no decision: the value is unknown.
      return seen instanceof Promise ? seen.then(keep, () => null) : keep(seen);
    },
    forgetAll: () => known.clear(),
    size: () => known.size,
  };
}

/** Each history once: many domains have the same one. */
const histories = new Map<number, SeenHistory>();

function sharedHistory(sinceDays: number, earlierDays: number): SeenHistory {
  const name = sinceDays * coveredDays + earlierDays;
  const shared = histories.get(name) ?? { sinceDays, earlierDays };
  histories.set(name, shared);
  return shared;
}

/** The days that are within the retention; without one the domain is seen today. */
export function historyIn(seen: SeenDays | null, today: number, retentionDays: number): SeenHistory {
  if (seen === null) return sharedHistory(0, 0);
  const bits = Array.from({ length: coveredDays }, (_, bit) => bit).filter((bit) => ((seen.days >>> bit) & 1) === 1);
  const days = [...bits.map((bit) => seen.last_day - bit), ...(seen.older_day === null ? [] : [seen.older_day])];
  const ages = days.map((day) => today - day).filter((age) => age >= 0 && age <= retentionDays);
  const earlierDays = ages.filter((age) => age > 0).length;
  return sharedHistory(Math.min(maxDays, Math.max(0, ...ages)), Math.min(maxDays, earlierDays));
}
