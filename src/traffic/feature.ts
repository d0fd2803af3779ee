import { randomBytes } from 'node:crypto';
import type { Feature, Shared } from '../feature.ts';
import { loadAddressSecrets } from '../gates/decisions/address-secret-store.ts';
import { createClampedClock } from '../platform/clamped-clock.ts';
import { counter, gauge } from '../platform/metric-kinds.ts';
import { ulid } from '../ulid.ts';
import { createSubjectHashes, type SubjectHashes } from './subject-hashes.ts';
import { createTraffic, type Traffic, type TrafficParts } from './traffic.ts';
import { createTrafficCounts } from './traffic-counts.ts';
import { createTrafficSharing } from './traffic-sharing.ts';
import { createTrafficStore, type TrafficStore, trafficTopic } from './traffic-store.ts';
import { bucketMs, bucketOf, dayBuckets } from './windows.ts';

const bytesPerMegabyte = 1_000_000;
/** Counts are of a day: after a wrong clock they start over, with a late one no decision of a wave is found in the log by its time. */
const believedAfterMs = 600_000;
const keptMs = (dayBuckets + 1) * bucketMs;
/** Processes read erasures when they are announced; one that fails for this long keeps counts of erased subjects until they expire. */
const erasuresKeptMs = 600_000;

/** The hashes of a database; an operator's own secret of the log is theirs too. */
export async function loadSubjectHashes({ db, config }: Pick<Shared, 'db' | 'config'>): Promise<SubjectHashes> {
  const fresh = (): string => randomBytes(32).toString('hex');
  return createSubjectHashes((await loadAddressSecrets(db, config.decisionLogSecret, fresh))[0]);
}

/** The counts, and their observations for the detection of patterns. */
export interface TrafficFeature extends Feature {
  readonly traffic: Traffic;
  readonly hashes: SubjectHashes;
  readonly store: TrafficStore;
  /** The clock of the observations; their detection needs the same one. */
  readonly now: () => number;
  /** Shares the counts now. */
  flush(): Promise<void>;
}

/** Counts decisions, starting with the counts of the last 24 hours by every process of the database. */
export async function createTrafficFeature(
  shared: Shared,
  hooks: Pick<TrafficParts, 'onVisit' | 'waveOf'> = {},
): Promise<TrafficFeature> {
  const { config, db, log, now, monotonicMs } = shared;
  const clampedNow = createClampedClock(now, monotonicMs, believedAfterMs);
  const counts = createTrafficCounts(config.trafficMemoryMb * bytesPerMegabyte);
  const store = createTrafficStore(db);
  const sharing = createTrafficSharing({
    store,
    counts,
    self: ulid(now()),
    now: clampedNow,
    monotonicMs,
    onDropped: (observations, error) =>
      log.warn(
        { err: error, observations },
        'could not store traffic counts of this process; other processes do not count it',
      ),
  });
  await sharing.poll();
  const hashes = await loadSubjectHashes(shared);
  return {
    traffic: createTraffic({
      counts,
      hashes,
      now: clampedNow,
      openBlock: sharing.openBlock,
      ...hooks,
    }),
    hashes,
    store,
    now: clampedNow,
    flush: sharing.buffer.flush,
    caches: { traffic_keys: () => counts.status().keys },
    metrics: [
      gauge('traffic_bytes', 'Memory of the traffic counts of this process', () => {
        const { tableBytes, largeBytes } = counts.status();
        return tableBytes + largeBytes;
      }),
      counter(
        'traffic_evicted_total',
        'Keys whose traffic counts started over because TRAFFIC_MEMORY_MB was used up',
        () => counts.status().evicted,
      ),
    ],
    buffers: [sharing.buffer],
    jobs: [
      {
        name: 'read-traffic',
        everyMs: 60_000,
        wakesOn: { topic: trafficTopic, restMs: 0 },
        failure: 'could not read the traffic counts of other processes; retrying',
        run: sharing.poll,
      },
      {
        name: 'expire-traffic',
        everyMs: 3_000,
        failure: 'could not expire traffic counts; retrying',
        async run() {
          counts.expireSome(bucketOf(clampedNow()));
        },
      },
      {
        name: 'prune-traffic',
        everyMs: 600_000,
        lease: { forMs: 1_200_000 },
        failure: 'old traffic counts could not be removed; the next attempt is in ten minutes',
        run: () => store.prune(clampedNow() - keptMs, clampedNow() - erasuresKeptMs),
      },
    ],
  };
}
