import { randomBytes } from 'node:crypto';
import type { CustomLists } from '../custom-lists/custom-lists.ts';
import { AppError } from '../errors.ts';
import type { Feature, Shared } from '../feature.ts';
import { createAddressKeys } from '../gates/decisions/address-key.ts';
import { loadAddressSecrets } from '../gates/decisions/address-secret-store.ts';
import type { LoggedRow } from '../gates/decisions/decisions-store.ts';
import { fromLoggedRow, shownDecision } from '../gates/decisions/logged-decision.ts';
import { findMarked } from '../gates/decisions/marked-decisions.ts';
import { scanLog } from '../gates/decisions/scan-log.ts';
import type { GatesFeature } from '../gates/feature.ts';
import type { GroupOutcomes } from '../gates/outcomes/group-outcomes.ts';
import type { DecisionLog } from '../gates/segments/decision-log.ts';
import type { Owner } from '../http/endpoint.ts';
import { counterBy } from '../platform/metric-kinds.ts';
import { loadSubjectHashes, type TrafficFeature } from '../traffic/feature.ts';
import { idEndText } from '../traffic/observation-block.ts';
import { trafficTopic } from '../traffic/traffic-store.ts';
import { timeOfId } from '../ulid.ts';
import type { Announce } from '../webhooks/announce-store.ts';
import { type ActiveWaves, createActiveWaves } from './active-waves.ts';
import { type ConfirmedStore, createConfirmedStore } from './confirmed-store.ts';
import { createDetectionStore, type NotifyWave } from './detection-store.ts';
import { createDetector } from './detector.ts';
import type { ReadLog } from './rule-choice.ts';
import type { LoggedDecision, SampleMark, StoredWave, WaveOutcomes, WaveSample } from './wave.ts';
import { waveBody } from './wave-body.ts';
import { createDrafts, type RulePlaces } from './wave-draft.ts';
import { decodeMembers } from './wave-members.ts';
import type { WaveNames } from './wave-names.ts';
import { createWaves, unconfirmed } from './waves.ts';
import { wavesEndpoints } from './waves-endpoints.ts';
import { createWavesStore, wavesTopic } from './waves-store.ts';

const dayMs = 86_400_000;

/** The dependencies of waves. */
export interface WavesFeatureParts {
  readonly traffic: Pick<TrafficFeature, 'hashes' | 'store' | 'now'>;
  readonly names: WaveNames;
  readonly active: ActiveWaves;
  readonly announce: Announce;
  readonly gates: Pick<GatesFeature, 'log' | 'gateIds' | 'groupOutcomes' | 'gates'>;
  readonly lists: CustomLists;
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
  const { log, gateIds, groupOutcomes } = parts.gates;
  const store = createWavesStore(db);
  const outcomes = waveOutcomesIn(log, gateIds, groupOutcomes);
  const confirmed = createConfirmedStore(db, decodeMembers, idEndText);
  const waves = createWaves({ store, confirmed, findLogged: loggedIn(log, gateIds), outcomes, now });
  const drafts = createDrafts({
    places: rulePlaces(parts.gates.gates, parts.lists),
    minAddresses: async (owner) => (await waves.settings(owner)).minAddresses,
    readLog: readIn(log, gateIds),
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

function notifyWebhooks(announce: Announce, confirmed: ConfirmedStore, now: () => number): NotifyWave {
  return async (trx, wave, event) => {
    const counts = (await confirmed.of([wave], trx)).get(wave.id) ?? unconfirmed;
    const data = waveBody.body({ ...wave, ...counts });
    const key = `wave ${wave.id} ${event}`;
    await announce(trx, wave.owner, [{ type: `traffic.wave.${event}`, data, atMs: now(), key }]);
  };
}

/** Finds decisions in the log of an owner. */
export function loggedIn(log: Pick<DecisionLog, 'listOf'>, gateIds: (owner: Owner) => Promise<string[]>) {
  return async (owner: Owner, marks: readonly SampleMark[]): Promise<LoggedDecision[]> =>
    (await findMarked(log, await gateIds(owner), marks)).map(toLogged);
}

function toLogged(row: LoggedRow): LoggedDecision {
  const { id, gateId, ruleId, action, outcome } = row;
  return {
    id,
    gateId,
    ruleId,
    action,
    createdAtMs: timeOfId(id),
    outcome: outcome?.outcome ?? null,
    read() {
      const { input, matchedRule, signals } = shownDecision(row);
      return { email: input.email ?? '', ip: input.ip ?? null, ruleName: matchedRule?.name ?? null, signals };
    },
  };
}

function toSample(row: LoggedRow): WaveSample {
  const { id, gateId, action, createdAtMs, read } = toLogged(row);
  const { email, ip } = read();
  return { decisionId: id, gateId, email, ip, action, createdAtMs };
}

/** The gates and lists that drafts are for. */
function rulePlaces(gates: GatesFeature['gates'], lists: CustomLists): RulePlaces {
  return {
    async rules(owner, gateId) {
      try {
        return (await gates.read(owner, gateId)).rules;
      } catch (error) {
        if (error instanceof AppError && error.code === 'gate_not_found') return null;
        throw error;
      }
    },
    lists: (owner) => lists.list(owner),
    gatesUsing: async (owner, listId) => [...new Set((await lists.uses(owner, listId)).map(({ gateId }) => gateId))],
    async hasEntry(owner, listId, value, untilMs) {
      const found = await lists.entries(owner, listId, { beforeNo: null, limit: 100, text: value });
      return found.some((entry) => entry.value === value && (entry.expiresAtMs ?? Number.POSITIVE_INFINITY) >= untilMs);
    },
    createList: (author, { name, kind }) => lists.create(author, { name, kind, description: 'Networks of waves' }),
    async addEntry(author, listId, { value, note, expiresAtMs }) {
      await lists.addEntries(author, listId, [{ value, note, expires_at: new Date(expiresAtMs).toISOString() }]);
    },
    addRule: async (author, gateId, draft) => (await gates.addRule(author, gateId, { draft, position: null })).rule,
  };
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
    for await (const row of scan)
      visit({
        createdAtMs: timeOfId(row.id),
        signals: fromLoggedRow(row).signals,
        outcome: row.outcome?.outcome ?? null,
      });
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
