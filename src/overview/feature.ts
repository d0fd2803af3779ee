import type { Feature, Shared } from '../app/feature.ts';
import type { Caller, Owner } from '../http/endpoint.ts';
import type { LookupResult } from '../lookups/lookup.ts';
import { detachedCopy } from '../platform/detached-copy.ts';
import { memoiseByObject } from '../platform/memoise-by-object.ts';
import { repeat } from '../platform/repeat.ts';
import { nextMark } from '../platform/repeats.ts';
import type { Readings } from '../signals/engine.ts';
import { type CountedLookup, createLookupCounts, type LookupCounts } from './lookup-counts.ts';
import { createLookupCountsStore } from './lookup-counts-store.ts';
import { createLookupRecorder, isDue } from './lookup-recorder.ts';
import type { GateActivity, OverviewParts } from './overview.ts';
import { overviewEndpoint } from './overview-endpoints.ts';

/** How often what was looked up is written, unless there is much of it. */
const flushMs = 2_000;
const pruneMs = 600_000;
/** A day more than an overview shows. */
const keptMs = 31 * 86_400_000;

/** Counts what is looked up. */
export interface LookupCounting {
  readonly counts: LookupCounts;
  /** A lookup was answered; false when it repeats one that was counted lately. */
  readonly onLookup: (result: LookupResult, caller: Caller) => boolean;
}

/** Begins to count; what lookups without a key ask for is nobody's. */
export function createLookupCounting({ now }: Pick<Shared, 'now'>): LookupCounting {
  const counts = createLookupCounts(now);
  // Readings are the same object as long as they are the same.
  const countedOf = memoiseByObject(toCounted);
  return {
    counts,
    onLookup: (result, caller) => caller.accountId !== '' && counts.add(caller, countedOf(result.readings, result)),
  };
}

function toCounted({ disposable, relayDomain, mx }: Readings, { subject }: LookupResult): CountedLookup {
  return {
    mark: nextMark(),
    domain: detachedCopy(subject.domain.ascii),
    disposable: disposable.known && disposable.value,
    relay: relayDomain.known && relayDomain.value,
    takesMail: mx.known ? mx.value : null,
  };
}

/** Builds the overview over what was counted. */
export function createOverviewFeature(
  { db, log, now, monotonicMs }: Shared,
  { counts }: LookupCounting,
  activity: GateActivity & { settle(): Promise<void> },
  usage: OverviewParts['usage'],
): Feature {
  const store = createLookupCountsStore(db);
  const recorder = createLookupRecorder(counts, store);
  const notWritten = (error: unknown): void => log.warn({ err: error }, 'counts of lookups not written yet');
  let writtenAtMs = monotonicMs();
  const flush = (): Promise<void> => {
    writtenAtMs = monotonicMs();
    return recorder.writeAll();
  };
  const flushIfDue = async (): Promise<void> => {
    if (isDue(counts, monotonicMs() - writtenAtMs)) await flush();
  };
  const flushes = repeat(flushMs, flushIfDue, notWritten);
  const prunes = repeat(
    pruneMs,
    () => store.prune(now() - keptMs),
    (error) => log.warn({ err: error }, 'old counts of lookups not removed yet'),
  );
  const settle = async (owner: Owner): Promise<void> => {
    await Promise.all([recorder.writeOf(owner).catch(notWritten), activity.settle()]);
  };
  return {
    endpoints: [overviewEndpoint({ lookups: store, activity, usage, now, settle })],
    follows: [],
    metrics: [],
    caches: { lookup_counts: counts.size },
    async close() {
      await Promise.all([flushes.stop(), prunes.stop()]);
      await flush().catch((error) => log.warn({ err: error }, 'counts of lookups were not written'));
    },
  };
}
