import type { Feature, Shared } from '../app/feature.ts';
import type { Caller } from '../http/endpoint.ts';
import type { Lookup, LookupResult } from '../lookups/lookup.ts';
import { repeat } from '../platform/repeat.ts';
import { steadyClock } from '../platform/steady-clock.ts';
import { whenSettled } from '../platform/when-settled.ts';
import type { Reading } from '../reading.ts';
import { flagBits } from './flag-kinds.ts';
import { writeSightings } from './seen-recorder.ts';
import { pruneSeen, sealDays } from './seen-retention.ts';
import { createSeenStore, type SeenStore } from './seen-store.ts';
import { createSightings, dayMs } from './sightings.ts';

/** How often what was seen is written; a kill -9 loses no more of it than this. */
const flushMs = 2_000;
const upkeepMs = 600_000;
const firstUpkeepMs = 5_000;
/** Other processes may still write what they saw before midnight. */
const lateMs = 600_000;

/** What environments see, remembered. */
export interface SeenFeature extends Feature {
  readonly store: SeenStore;
  /** Told of every lookup that is answered. */
  readonly onLookup: (result: LookupResult, caller: Caller) => void;
  /** A lookup that is remembered, for those who decide. */
  readonly remembering: (lookup: Lookup) => Lookup;
}

/** Told of a domain that is flagged, when an environment sees it so for the first time on a day. */
export type OnFlagged = (result: LookupResult) => void;

/** Begins to remember which domains each environment sees; what lookups without a key ask for is nobody's. */
export function createSeenFeature({ config, db, log, now, monotonicMs }: Shared, onFlagged: OnFlagged): SeenFeature {
  const store = createSeenStore(db);
  const sightings = createSightings();
  const isOn = config.seenDomainsDays > 0;
  const onLookup = (result: LookupResult, caller: Caller): void => {
    if (!isOn || caller.accountId === '') return;
    const flagged = flaggedAs(result);
    const isNews = sightings.note(caller, result.subject.domain.ascii, flagged, result.sources.nowMs);
    if (isNews && flagged !== 0) onFlagged(result);
  };
  const flush = () => writeSightings(sightings, store);
  const notWritten = (error: unknown): void => log.warn({ err: error }, 'domains that were seen are not written yet');
  const ended = new AbortController();
  const steadyNow = steadyClock(now, monotonicMs);
  const upkeep = async (): Promise<void> => {
    const today = Math.floor(steadyNow() / dayMs);
    await pruneSeen(store, isOn ? today - config.seenDomainsDays : today + 1, ended.signal);
    await sealDays(store, Math.floor((steadyNow() - lateMs) / dayMs), ended.signal);
  };
  const rounds = [
    repeat(flushMs, flush, notWritten),
    repeat(
      upkeepMs,
      upkeep,
      (error) => log.warn({ err: error }, 'domains that were seen are not pruned yet'),
      firstUpkeepMs,
    ),
  ];
  return {
    store,
    onLookup,
    remembering:
      (lookup): Lookup =>
      (subject, caller, options) =>
        whenSettled(lookup(subject, caller, options), (result) => {
          onLookup(result, caller);
          return result;
        }),
    endpoints: [],
    follows: [],
    metrics: [],
    caches: { seen_domains: sightings.size },
    unwritten: { seen_domains: sightings.waiting },
    async close() {
      ended.abort();
      await Promise.all(rounds.map((round) => round.stop()));
      await flush().catch(notWritten);
    },
  };
}

/** What a lookup told of the domain; what is unknown was not told. */
function flaggedAs({ readings: { disposable, relayDomain, spam } }: LookupResult): number {
  return (
    (isTrue(disposable) ? flagBits.disposable : 0) |
    (isTrue(relayDomain) ? flagBits.relay : 0) |
    (isTrue(spam) ? flagBits.spam : 0)
  );
}

const isTrue = (reading: Reading<boolean>): boolean => reading.known && reading.value;
