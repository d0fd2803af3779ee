import type { Feature, Shared } from '../feature.ts';
import type { Caller } from '../http/endpoint.ts';
import type { Lookup, LookupResult } from '../lookups/lookup.ts';
import { createClampedClock } from '../platform/clamped-clock.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import type { Reading } from '../reading.ts';
import { createHasBadOutcome } from './bad-outcomes.ts';
import { createBadOutcomesStore } from './bad-outcomes-store.ts';
import { createFirstSeen, type FirstSeen } from './first-seen.ts';
import { createFirstSeenStore, seenTopic } from './first-seen-store.ts';
import { flagBits } from './flag-kinds.ts';
import { createSeenBuffer, createSignUpBuffer } from './seen-recorder.ts';
import { pruneSeen, sealDays } from './seen-retention.ts';
import { createSeenStore, type SeenStore } from './seen-store.ts';
import { createSightings, dayMs } from './sightings.ts';
import { createSignUpHistory, type SignUpHistory } from './sign-up-history.ts';

/** Other processes may still write their sightings from before midnight. */
const lateMs = 600_000;

/** The memory of the domains that environments see. */
export interface SeenFeature extends Feature {
  readonly store: SeenStore;
  readonly firstSeen: Pick<FirstSeen, 'historyOf'>;
  readonly signUps: SignUpHistory;
  /** Called for every answered lookup. */
  readonly onLookup: (result: LookupResult, caller: Caller) => void;
  /** Wraps a lookup for decisions, so that its domains are recorded. */
  readonly remembering: (lookup: Lookup) => Lookup;
}

/** Called for a flagged domain when an environment sees it flagged for the first time on a day. */
export type OnFlagged = (result: LookupResult) => void;

/** Starts recording the domains that each environment sees; lookups without a key belong to no environment. */
export function createSeenFeature({ config, db, log, now, monotonicMs }: Shared, onFlagged: OnFlagged): SeenFeature {
  const store = createSeenStore(db);
  const firstSeenStore = createFirstSeenStore(db);
  const firstSeen = createFirstSeen(firstSeenStore, config.seenDomainsDays);
  const sightings = createSightings();
  const signUpSightings = createSightings();
  const signUps = createSignUpHistory(signUpSightings, firstSeen, createHasBadOutcome(createBadOutcomesStore(db)));
  const forgetAll = (): void => {
    sightings.forgetAll();
    signUpSightings.forgetAll();
    firstSeen.forgetAll();
  };
  const isOn = config.seenDomainsDays > 0;
  const onLookup = (result: LookupResult, caller: Caller): void => {
    if (!isOn || caller.accountId === '') return;
    const flagged = flaggedAs(result);
    const isNews = sightings.note(caller, result.subject.domain.ascii, flagged, result.sources.nowMs);
    if (isNews && flagged !== 0) onFlagged(result);
  };
  const clampedNow = createClampedClock(now, monotonicMs);
  /** Removing old days takes a walk over all domains: once a day is enough, as they no longer count. */
  let removedBefore = 0;
  return {
    store,
    firstSeen,
    signUps: isOn ? signUps : { ...signUps, note() {} },
    follows: [{ topic: seenTopic, changed: forgetAll, changedAll: forgetAll }],
    onLookup,
    remembering:
      (lookup): Lookup =>
      (subject, caller, options) =>
        mapMaybePromise(lookup(subject, caller, options), (result) => {
          onLookup(result, caller);
          return result;
        }),
    caches: { seen_domains: sightings.size, sign_up_days: signUpSightings.size, first_seen: firstSeen.size },
    buffers: [
      createSeenBuffer(sightings, store, firstSeenStore, (domains, error) =>
        log.warn({ err: error, domains }, 'storage rejected seen domains; they are recorded again when next seen'),
      ),
      createSignUpBuffer(signUpSightings, firstSeenStore, (domains, error) =>
        log.warn({ err: error, domains }, 'storage rejected days of sign-ups; they are recorded again when next seen'),
      ),
    ],
    jobs: [
      {
        name: 'prune-seen-domains',
        everyMs: 600_000,
        firstMs: 5_000,
        lease: { forMs: 1_200_000 },
        failure: 'old seen domains could not be removed; the next attempt is in ten minutes',
        async run(signal) {
          const today = Math.floor(clampedNow() / dayMs);
          const firstDay = isOn ? today - config.seenDomainsDays : today + 1;
          await pruneSeen(store, firstDay, signal);
          if (firstDay !== removedBefore) await firstSeenStore.removeBefore(firstDay, signal);
          if (!signal.aborted) removedBefore = firstDay;
          await sealDays(store, Math.floor((clampedNow() - lateMs) / dayMs), signal);
        },
      },
    ],
  };
}

/** The flags that a lookup reported for the domain; unknown signals set none. */
function flaggedAs({ readings: { disposable, relayDomain, spam } }: LookupResult): number {
  return (
    (isTrue(disposable) ? flagBits.disposable : 0) |
    (isTrue(relayDomain) ? flagBits.relay : 0) |
    (isTrue(spam) ? flagBits.spam : 0)
  );
}

const isTrue = (reading: Reading<boolean>): boolean => reading.known && reading.value;
