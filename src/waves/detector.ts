import type { Owner } from '../http/endpoint.ts';
import { createYielder } from '../platform/yielding.ts';
import type { SubjectHashes } from '../traffic/subject-hashes.ts';
import { createEnvironmentWatch } from './detection/environment-watch.ts';
import { createHistories } from './detection/histories.ts';
import { hourMs } from './detection/history.ts';
import { createObservationFeed, type ObservationFeedParts } from './detection/observation-feed.ts';
import { keyOf, type ObservedRow } from './detection/observed-row.ts';
import { createOpenWaves } from './detection/open-waves.ts';
import { thresholds } from './detection/thresholds.ts';
import type { DetectionStore, NotifyWave } from './detection-store.ts';
import type { WaveNames } from './wave-names.ts';

/** Detects waves in the counts of all processes; one process at a time runs it. */
export interface Detector {
  /** Examines environments with new rows, those with many rows less often. */
  round(): Promise<void>;
  /** Examines every environment with new rows. */
  roundOfAll(): Promise<void>;
  /** Names waves that another process raised. */
  nameWaves(): Promise<void>;
  /** Rows in memory, and waves raised. */
  status(): { readonly rows: number; readonly raised: { readonly open: number; readonly stopped: number } };
}

export interface DetectorParts extends ObservationFeedParts {
  readonly store: DetectionStore;
  readonly hashes: SubjectHashes;
  readonly names: Pick<WaveNames, 'of'>;
  readonly notify: NotifyWave;
  /** The minimum interval between two searches for slow waves. */
  readonly slowEveryMs?: number;
}

/** Other processes write their counts within two seconds. */
const lateMs = 30_000;
/** A round takes longer with more rows: up to 30 seconds pass between two rounds, so that their share of CPU time stays small. */
const pauseMsPerRow = 0.3;
/** Few rows take no time, so their next round need not wait. */
const unpausedRows = 1_000;
const maxPauseMs = 30_000;

export function createDetector(parts: DetectorParts): Detector {
  const { store, hashes, names, notify, now, monotonicMs, slowEveryMs = 20_000 } = parts;
  const feed = createObservationFeed(parts);
  const histories = createHistories(store);
  const open = createOpenWaves(store);
  const watch = createEnvironmentWatch({ store, histories, open, names, notify, now, monotonicMs });
  let summarisedThrough = 0;
  let owners = new Map<number, Owner>();
  /** When an environment with new rows was last examined, and when for slow waves. */
  const examined = new Map<number, { atMs: number; slowAtMs: number }>();

  const loadOwners = async (): Promise<void> => {
    owners = new Map((await store.owners()).map((owner) => [keyOf(hashes.ofOwner(owner)), owner]));
  };
  const isDue = (key: number): boolean => {
    const rows = feed.window().count(key);
    const sinceMs = now() - (examined.get(key)?.atMs ?? Number.NEGATIVE_INFINITY);
    return rows <= unpausedRows || sinceMs < 0 || sinceMs >= Math.min(maxPauseMs, rows * pauseMsPerRow);
  };
  const summarise = async (hour: number): Promise<void> => {
    for (const key of feed.window().owners()) {
      const owner = owners.get(key);
      if (owner === undefined) continue;
      const yieldWhenDue = createYielder(monotonicMs);
      const since = await feed.window().rows(key, hour * hourMs, yieldWhenDue);
      const waves = open.ofOwner(owner).flatMap((wave) => (wave.isFine ? [] : wave.membership()));
      // A slow wave counts its rows with the next slow round, which may be after the hour.
      const isHistory = (row: ObservedRow): boolean =>
        row.wave === 0 ? !waves.some((isMember) => isMember(row)) : open.isFine(row.wave);
      const rows = since.filter((row) => row.atMs < (hour + 1) * hourMs && isHistory(row));
      if (rows.length > 0) await histories.add(owner, hour, rows, yieldWhenDue);
    }
  };
  /** Writes each value's addresses in the hours that have ended, without those of waves. */
  const summariseHours = async (): Promise<void> => {
    const last = Math.floor((now() - lateMs) / hourMs) - 1;
    if (last <= summarisedThrough) return;
    // Rounds may have paused for hours; a process that has just started continues where another ended.
    const first =
      summarisedThrough === 0 ? last : Math.max(summarisedThrough + 1, last - thresholds.slowMs / hourMs + 1);
    for (let hour = first; hour <= last; hour += 1) await summarise(hour);
    summarisedThrough = last;
    await histories.removeOld(now());
  };
  /** Ends waves that were over at a moment. */
  const endWaves = async (atMs: number): Promise<void> => {
    for (const { id, endedAtMs } of await store.finished(atMs)) {
      await store.end(id, endedAtMs, notify);
      open.end(id, endedAtMs);
    }
  };
  const examine = async (key: number, owner: Owner): Promise<void> => {
    const { slowAtMs = 0 } = examined.get(key) ?? {};
    const isSlowDue = now() - slowAtMs >= slowEveryMs || now() < slowAtMs;
    examined.set(key, { atMs: now(), slowAtMs: isSlowDue ? now() : slowAtMs });
    const sinceMs = now() - (isSlowDue ? thresholds.slowMs : thresholds.windowMs);
    const rows = await feed.window().rows(key, sinceMs, createYielder(monotonicMs));
    if (rows.length > 0) await watch.examine(owner, rows, isSlowDue);
  };
  const round = async (isWanted: (key: number) => boolean): Promise<void> => {
    const isReadAgain = await feed.read();
    if (isReadAgain) open.clear();
    // Decisions before their end are counted by now, unless rounds pause.
    await endWaves(now() - lateMs);
    const window = feed.window();
    const news = [...window.owners()].filter((key) => isWanted(key) && window.hasNews(key));
    if (news.length > 0) await claimRows(await open.refresh(now() - thresholds.slowMs));
    for (const key of examined.keys()) if (window.count(key) === 0) examined.delete(key);
    if (news.some((key) => !owners.has(key))) await loadOwners();
    await summariseHours();
    for (const key of news) {
      const owner = owners.get(key);
      if (owner !== undefined) await examine(key, owner);
      // A round that fails examines the rows again.
      window.examined(key);
    }
    await endWaves(now());
  };
  /** A wave that another process counted until now continues with the rows after it. */
  const claimRows = async (waves: Awaited<ReturnType<typeof open.refresh>>): Promise<void> => {
    for (const wave of waves) {
      const key = keyOf(hashes.ofOwner(wave.owner));
      wave.claim(await feed.window().rows(key, 0, createYielder(monotonicMs)));
    }
  };
  // Two rounds together would raise a wave twice.
  const inTurn = oneAfterAnother();
  return {
    round: () => inTurn(() => round(isDue)),
    roundOfAll: () => inTurn(() => round(() => true)),
    async nameWaves() {
      for (const { id, kind, key, values } of await store.unnamed()) {
        const value = names.of(kind, key, values);
        if (value !== null) await store.name(id, value, notify);
      }
    },
    status: () => ({ rows: feed.window().size(), raised: watch.raised() }),
  };
}

/** Starts each call when the previous one has ended. */
function oneAfterAnother(): (run: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (run) => {
    const started = last.then(run);
    last = started.catch(() => {});
    return started;
  };
}
