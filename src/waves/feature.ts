import { randomBytes } from 'node:crypto';
import type { Feature, Shared } from '../feature.ts';
import { createAddressKeys } from '../gates/decisions/address-key.ts';
import { loadAddressSecrets } from '../gates/decisions/address-secret-store.ts';
import type { LoggedRow } from '../gates/decisions/decisions-store.ts';
import { fromLoggedRow, shownDecision } from '../gates/decisions/logged-decision.ts';
import { findMarked } from '../gates/decisions/marked-decisions.ts';
import { scanLog } from '../gates/decisions/scan-log.ts';
import type { GroupOutcomes } from '../gates/outcomes/group-outcomes.ts';
import type { DecisionLog } from '../gates/segments/decision-log.ts';
import type { Owner } from '../http/endpoint.ts';
import { counter } from '../platform/metric-kinds.ts';
import { loadSubjectHashes, type TrafficFeature } from '../traffic/feature.ts';
import { trafficTopic } from '../traffic/traffic-store.ts';
import { timeOfId } from '../ulid.ts';
import type { Announce } from '../webhooks/announce-store.ts';
import { type ActiveWaves, createActiveWaves } from './active-waves.ts';
import { createDetectionStore, type NotifyWave } from './detection-store.ts';
import { createDetector } from './detector.ts';
import { chooseRule, type ReadLog } from './rule-choice.ts';
import type { SampleMark, StoredWave, WaveOutcomes, WaveSample } from './wave.ts';
import { waveBody } from './wave-body.ts';
import type { WaveNames } from './wave-names.ts';
import { createWaves } from './waves.ts';
import { wavesEndpoints } from './waves-endpoints.ts';
import { createWavesStore, wavesTopic } from './waves-store.ts';

const dayMs = 86_400_000;

/** What waves need from the rest of the service. */
export interface WavesFeatureParts {
  readonly traffic: Pick<TrafficFeature, 'hashes' | 'store' | 'now'>;
  readonly names: WaveNames;
  readonly active: ActiveWaves;
  readonly announce: Announce;
  readonly log: Pick<DecisionLog, 'listOf'>;
  /** Reads the ids of an owner's gates. */
  readonly gateIds: (owner: Owner) => Promise<string[]>;
  readonly groupOutcomes: GroupOutcomes;
}

/** The detection of waves. */
export interface WavesFeature extends Feature {
  /** Runs a round of the detection now, for callers that set the clock. */
  readonly detect: () => Promise<void>;
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
  const { traffic, names, active, log, gateIds } = parts;
  const store = createWavesStore(db);
  const outcomes = waveOutcomesIn(log, gateIds, parts.groupOutcomes);
  const waves = createWaves({ store, findSamples: samplesIn(log, gateIds), outcomes, now });
  const detector = createDetector({
    store: createDetectionStore(db),
    traffic: traffic.store,
    hashes: traffic.hashes,
    names,
    notify: notifyWebhooks(parts.announce, now),
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
    metrics: [counter('waves_total', 'Waves of sign-ups that this process detected', () => detector.status().raised)],
    caches: { wave_values: names.size, wave_decisions: () => detector.status().rows },
    endpoints: wavesEndpoints(waves, async (wave) => {
      const { minAddresses } = await waves.settings(wave.owner);
      return chooseRule(wave, minAddresses, readIn(log, gateIds), now, monotonicMs);
    }),
    jobs: [
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
      {
        name: 'prune-waves',
        everyMs: 600_000,
        lease: { forMs: 1_200_000 },
        failure: 'old waves could not be removed; the next attempt is in ten minutes',
        run: () => store.prune(traffic.now() - config.decisionLogDays * dayMs, traffic.now()),
      },
    ],
  };
}

function notifyWebhooks(announce: Announce, now: () => number): NotifyWave {
  return (trx, wave, event) => {
    const key = `wave ${wave.id} ${event}`;
    return announce(trx, wave.owner, [{ type: `traffic.wave.${event}`, data: waveBody.body(wave), atMs: now(), key }]);
  };
}

/** Finds decisions in the log of an owner. */
export function samplesIn(log: Pick<DecisionLog, 'listOf'>, gateIds: (owner: Owner) => Promise<string[]>) {
  return async (owner: Owner, marks: readonly SampleMark[]): Promise<WaveSample[]> =>
    (await findMarked(log, await gateIds(owner), marks)).map(toSample);
}

function toSample(row: LoggedRow): WaveSample {
  const { id, input, action, createdAtMs } = shownDecision(row);
  return { decisionId: id, gateId: row.gateId, email: input.email ?? '', ip: input.ip ?? null, action, createdAtMs };
}

/** Outcomes of the allowed decisions of waves. */
export function waveOutcomesIn(
  log: Pick<DecisionLog, 'listOf'>,
  gateIds: (owner: Owner) => Promise<string[]>,
  outcomes: GroupOutcomes,
): WaveOutcomes {
  const find = async ({ owner }: StoredWave, allowed: readonly SampleMark[]): Promise<LoggedRow[]> =>
    findMarked(log, await gateIds(owner), allowed, { actions: ['allow'] });
  const reasonOf = ({ id }: StoredWave): string => `wave ${id}`;
  return {
    async report(wave, allowed, outcome) {
      const rows = await find(wave, allowed);
      const changed = new Set(await outcomes.report(rows, { outcome, reason: reasonOf(wave) }));
      const decisions = rows.map((row) => ({
        ...toSample(row),
        outcome: changed.has(row) ? outcome : (row.outcome?.outcome ?? null),
      }));
      return { reported: changed.size, decisions };
    },
    undo: async (wave, allowed) => outcomes.undo(await find(wave, allowed), reasonOf(wave)),
  };
}

/** Reads logged decisions for another evaluation. */
function readIn(log: Pick<DecisionLog, 'listOf'>, gateIds: (owner: Owner) => Promise<string[]>): ReadLog {
  return async (owner, fromMs, budget, visit) => {
    const scan = scanLog(log, await gateIds(owner), { fromMs }, budget);
    for await (const row of scan) visit({ createdAtMs: timeOfId(row.id), signals: fromLoggedRow(row).signals });
    return scan.complete;
  };
}

/** How the log shows a normalised address: in plain text, or its hash. */
export async function loadShownAddress({
  config,
  db,
}: Pick<Shared, 'config' | 'db'>): Promise<(address: string) => string> {
  const fresh = (): string => randomBytes(32).toString('hex');
  const secrets = await loadAddressSecrets(db, config.decisionLogSecret, fresh);
  const keys = createAddressKeys(config.decisionLogAddresses, secrets);
  return (address) => (keys.hashed ? keys.hash(address) : address);
}
