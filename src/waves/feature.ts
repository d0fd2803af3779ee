import type { Feature, Shared } from '../feature.ts';
import type { Owner } from '../http/endpoint.ts';
import type { Job } from '../platform/jobs.ts';
import { counterBy } from '../platform/metric-kinds.ts';
import { loadSubjectHashes, type TrafficFeature } from '../traffic/feature.ts';
import { idEndText } from '../traffic/observation-block.ts';
import { trafficTopic } from '../traffic/traffic-store.ts';
import type { Announce } from '../webhooks/announce-store.ts';
import { type ActiveWaves, createActiveWaves } from './active-waves.ts';
import { type ConfirmedStore, createConfirmedStore } from './confirmed-store.ts';
import { createDetectionStore, type NotifyWave } from './detection-store.ts';
import { createDetector, type Detector } from './detector.ts';
import type { ReadLog } from './rule-choice.ts';
import { waveBody } from './wave-body.ts';
import { createDrafts, type RulePlaces } from './wave-draft.ts';
import { decodeMembers } from './wave-members.ts';
import type { WaveNames } from './wave-names.ts';
import { createWaves, unconfirmed, type WavesParts } from './waves.ts';
import { wavesEndpoints } from './waves-endpoints.ts';
import { createWavesStore, type WavesStore, wavesTopic } from './waves-store.ts';

const dayMs = 86_400_000;

/** The dependencies of waves. */
export interface WavesFeatureParts {
  readonly traffic: Pick<TrafficFeature, 'hashes' | 'store' | 'now'>;
  readonly names: WaveNames;
  readonly active: ActiveWaves;
  readonly announce: Announce;
  readonly decisions: Pick<WavesParts, 'findLogged' | 'outcomes'>;
  readonly readLog: ReadLog;
  /** Where rules and list entries against waves belong. */
  readonly places: RulePlaces;
}

/** The detection of waves. */
export interface WavesFeature extends Feature {
  /** Runs a round of the detection now, for callers that set the clock. */
  readonly detect: () => Promise<void>;
  /** The ids of a wave's decisions that the log still has. */
  decisionIds(owner: Owner, waveId: string): Promise<ReadonlySet<string>>;
}

/** Reads which waves are open, for decisions: traffic reports them as `in_wave`. */
export async function openActiveWaves(shared: Shared): Promise<ActiveWaves> {
  const active = createActiveWaves(createDetectionStore(shared.db), await loadSubjectHashes(shared), shared.now);
  await active.refresh();
  return active;
}

/** Monitors environments for waves. */
export function createWavesFeature(shared: Shared, parts: WavesFeatureParts): WavesFeature {
  const { config, db, now, monotonicMs } = shared;
  const { traffic, names, active } = parts;
  const store = createWavesStore(db);
  const confirmed = createConfirmedStore(db, decodeMembers, idEndText);
  const waves = createWaves({ store, confirmed, ...parts.decisions, now });
  const drafts = createDrafts({
    places: parts.places,
    minAddresses: async (owner) => (await waves.settings(owner)).minAddresses,
    readLog: parts.readLog,
    now,
    monotonicMs,
  });
  const detector = createDetector({
    store: createDetectionStore(db),
    traffic: traffic.store,
    hashes: traffic.hashes,
    names,
    notify: notifyWebhooks(parts.announce, confirmed, now),
    now: traffic.now,
    monotonicMs,
  });
  /** This process knows a wave as soon as it has raised it. */
  const detected = async (round: () => Promise<void>): Promise<void> => {
    await round();
    await active.refresh();
  };
  return {
    detect: () => detected(detector.roundOfAll),
    async decisionIds(owner, waveId) {
      const { decisions } = await waves.evidence(await waves.read(owner, waveId));
      return new Set(decisions.map(({ id }) => id));
    },
    metrics: [
      counterBy('stopped', 'waves_total', 'Waves of sign-ups that this process detected', () => {
        const { open, stopped } = detector.status().raised;
        return { false: open, true: stopped };
      }),
    ],
    caches: { wave_values: names.size, wave_decisions: () => detector.status().rows },
    endpoints: wavesEndpoints(waves, drafts),
    jobs: [...detectionJobs(detector, active, detected), pruneJob(store, traffic.now, config.decisionLogDays)],
  };
}

function notifyWebhooks(announce: Announce, confirmed: ConfirmedStore, now: () => number): NotifyWave {
  return async (trx, wave, event) => {
    const counts = (await confirmed.of([wave], trx)).get(wave.id) ?? unconfirmed;
    const data = waveBody.body({ ...wave, ...counts });
    const key = `wave ${wave.id} ${event}`;
    await announce(trx, wave.owner, [{ type: `traffic.wave.${event}`, data, atMs: now(), key }]);
  };
}

/** `detected` runs a round and makes its waves known. */
function detectionJobs(
  detector: Detector,
  active: ActiveWaves,
  detected: (round: () => Promise<void>) => Promise<void>,
): Job[] {
  return [
    {
      name: 'detect-waves',
      everyMs: 15_000,
      wakesOn: { topic: trafficTopic, restMs: 2_000 },
      lease: { forMs: 30_000 },
      failure: 'could not detect waves of sign-ups; retrying',
      run: () => detected(detector.round),
    },
    {
      // With the rounds of the detection every process knows a wave within three seconds.
      name: 'read-open-waves',
      everyMs: 15_000,
      wakesOn: { topic: wavesTopic, restMs: 0 },
      failure: 'could not read which waves are open; traffic.in_wave may be outdated, retrying',
      run: active.refresh,
    },
    {
      name: 'name-waves',
      everyMs: 15_000,
      wakesOn: { topic: wavesTopic, restMs: 2_000 },
      failure: 'could not name waves that other processes detected; retrying',
      run: detector.nameWaves,
    },
  ];
}

function pruneJob(store: WavesStore, now: () => number, keptDays: number): Job {
  return {
    name: 'prune-waves',
    everyMs: 600_000,
    lease: { forMs: 1_200_000 },
    failure: 'old waves could not be removed; the next attempt is in ten minutes',
    run: () => store.prune(now() - keptDays * dayMs, now()),
  };
}
