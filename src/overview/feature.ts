import type { Feature, Shared } from '../feature.ts';
import type { Caller, Owner } from '../http/endpoint.ts';
import type { LookupResult } from '../lookups/lookup.ts';
import { detachedCopy } from '../platform/detached-copy.ts';
import { memoiseByObject } from '../platform/memoise-by-object.ts';
import type { Readings } from '../signals/engine.ts';
import { type CountedLookup, createLookupCounts, type LookupCounts } from './lookup-counts.ts';
import { createLookupCountsStore } from './lookup-counts-store.ts';
import { createLookupRecorder } from './lookup-recorder.ts';
import type { GateActivity, OverviewParts } from './overview.ts';
import { overviewEndpoint } from './overview-endpoints.ts';

/** One day longer than an overview shows. */
const retentionMs = 31 * 86_400_000;

export interface LookupCounting {
  readonly counts: LookupCounts;
  /** Counts an answered lookup; false when it repeats one that was counted recently. */
  readonly onLookup: (result: LookupResult, caller: Caller) => boolean;
}

/** Starts counting; lookups without a key belong to no account and are not counted. */
export function createLookupCounting({ now }: Pick<Shared, 'now'>): LookupCounting {
  const counts = createLookupCounts(now);
  // Equal readings are the same object.
  const countedOf = memoiseByObject(toCounted);
  return {
    counts,
    onLookup: (result, caller) => caller.accountId !== '' && counts.add(caller, countedOf(result.readings, result)),
  };
}

function toCounted({ disposable, relayDomain, mx }: Readings, { subject }: LookupResult): CountedLookup {
  return {
    domain: detachedCopy(subject.domain.ascii),
    disposable: disposable.known && disposable.value,
    relay: relayDomain.known && relayDomain.value,
    takesMail: mx.known ? mx.value : null,
  };
}

export function createOverviewFeature(
  { db, log, now }: Shared,
  { counts }: LookupCounting,
  activity: GateActivity & { tryFlush(): Promise<void> },
  usage: OverviewParts['usage'],
  changes: OverviewParts['changes'],
): Feature {
  const store = createLookupCountsStore(db);
  const recorder = createLookupRecorder(counts, store, (owners, error) =>
    log.warn({ err: error, owners }, 'storage rejected counts of lookups; they are lost'),
  );
  const flush = async (owner: Owner): Promise<void> => {
    // The overview shows the counts that storage has; the scheduled flush reports the failure.
    await Promise.all([recorder.flushOwner(owner).catch(() => {}), activity.tryFlush()]);
  };
  return {
    endpoints: [overviewEndpoint({ lookups: store, activity, usage, changes, now, flush })],
    caches: { lookup_counts: counts.size },
    buffers: [recorder.buffer],
    jobs: [
      {
        name: 'prune-lookup-counts',
        everyMs: 600_000,
        lease: { forMs: 1_200_000 },
        failure: 'old counts of lookups could not be removed; the next attempt is in ten minutes',
        run: () => store.prune(now() - retentionMs),
      },
    ],
  };
}
