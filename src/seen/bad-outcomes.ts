import type { Owner } from '../http/endpoint.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import type { BadOutcomesStore } from './bad-outcomes-store.ts';

/** Whether an environment reported a decision about a registrable domain as bad; true while storage is unavailable. */
export type HasBadOutcome = (owner: Owner, registrable: string, nowMs: number) => boolean | Promise<boolean>;

const maxDomains = 50_000;
/** Outcomes are reported days after their decisions. */
const keptMs = 60_000;

/** Reads each domain of an environment once a minute. */
export function createHasBadOutcome(store: BadOutcomesStore): HasBadOutcome {
  const known = boundedMap<string, { readonly atMs: number; readonly isBad: boolean }>(maxDomains);
  return (owner, registrable, nowMs) => {
    const key = `${owner.accountId}/${owner.environment}/${registrable}`;
    const before = known.get(key);
    if (before !== undefined && Math.abs(nowMs - before.atMs) < keptMs) return before.isBad;
    const keep = (isBad: boolean): boolean => {
      known.set(key, { atMs: nowMs, isBad });
      return isBad;
    };
    return store.hasOf(owner, registrable).then(keep, () => true);
  };
}
