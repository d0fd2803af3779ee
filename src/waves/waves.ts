import { AppError } from '../errors.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { actions } from '../traffic/observation.ts';
import { idEndText } from '../traffic/observation-block.ts';
import type { ConfirmedStore } from './confirmed-store.ts';
import {
  type ConfirmedWave,
  type LoggedDecision,
  type ReportedOutcome,
  type SampleMark,
  type StoredWave,
  standardSettings,
  type Verdict,
  type WaveOutcomes,
  type WaveSample,
  type WaveSettings,
} from './wave.ts';
import { evidenceOf, type WaveEvidence } from './wave-evidence.ts';
import { decodeMembers, type WaveMember } from './wave-members.ts';
import type { WaveFilter, WavesStore } from './waves-store.ts';

/** Customers' operations on waves. A missing wave and one of another owner throw the same `AppError`. */
export interface Waves {
  /** Newest first. */
  list(owner: Owner, filter: WaveFilter, limit: number): Promise<ConfirmedWave[]>;
  read(owner: Owner, id: string): Promise<ConfirmedWave>;
  /** Decisions of the wave that the log still has, newest first. */
  samples(wave: StoredWave): Promise<WaveSample[]>;
  /** The logged decisions of the wave. */
  evidence(wave: StoredWave): Promise<WaveEvidence>;
  /** Its decisions, oldest first. */
  members(wave: StoredWave): Promise<WaveMember[]>;
  /** After `fine` the same value raises no wave for 30 days. */
  judge(author: Author, id: string, verdict: Verdict | null): Promise<ConfirmedWave>;
  /** Reports the outcome of every allowed decision of a wave; see `WaveOutcomes`. */
  report(owner: Owner, id: string, outcome: ReportedOutcome): ReturnType<WaveOutcomes['report']>;
  undoReport(owner: Owner, id: string): Promise<void>;
  settings(owner: Owner): Promise<WaveSettings>;
  changeSettings(author: Author, change: Partial<WaveSettings>): Promise<WaveSettings>;
}

export interface WavesParts {
  readonly store: WavesStore;
  readonly confirmed: ConfirmedStore;
  /** Finds decisions in the log of an owner by their marks. */
  readonly findLogged: (owner: Owner, marks: readonly SampleMark[]) => Promise<LoggedDecision[]>;
  readonly outcomes: WaveOutcomes;
  readonly now: () => number;
}

const silenceMs = 30 * 86_400_000;

export function createWaves({ store, confirmed, findLogged, outcomes, now }: WavesParts): Waves {
  const settings = async (owner: Owner): Promise<WaveSettings> => (await store.settings(owner)) ?? standardSettings;
  const withOutcomes = async (waves: readonly StoredWave[]): Promise<ConfirmedWave[]> => {
    const counts = await confirmed.of(waves);
    return waves.map((wave) => ({ ...wave, ...(counts.get(wave.id) ?? unconfirmed) }));
  };
  const found = async (wave: StoredWave | null): Promise<ConfirmedWave> => {
    const [shown] = wave === null ? [] : await withOutcomes([wave]);
    if (shown === undefined) throw new AppError('wave_not_found');
    return shown;
  };
  const read = async (owner: Owner, id: string): Promise<ConfirmedWave> =>
    found(isWaveId(id) ? await store.find(owner, id) : null);
  const members = async ({ id }: StoredWave): Promise<WaveMember[]> => (await store.members(id)).flatMap(decodeMembers);
  const allowedOf = async (wave: StoredWave): Promise<readonly SampleMark[]> =>
    (await members(wave)).filter(({ action }) => actions[action] === 'allow').map(markOf);
  return {
    list: async (owner, filter, limit) => withOutcomes(await store.list(owner, filter, limit)),
    read,
    async samples({ owner, samples }) {
      return (await findLogged(owner, samples)).map(sampleOf);
    },
    async evidence(wave) {
      const marks = (await members(wave)).map(markOf);
      return evidenceOf(wave, await findLogged(wave.owner, marks.length > 0 ? marks : wave.samples));
    },
    members,
    async judge(author, id, verdict) {
      const nowMs = now();
      const silentUntilMs = verdict === 'fine' ? nowMs + silenceMs : null;
      return found(isWaveId(id) ? await store.judge(author, id, verdict, silentUntilMs, nowMs) : null);
    },
    async report(owner, id, outcome) {
      const wave = await read(owner, id);
      return outcomes.report(wave, await allowedOf(wave), outcome);
    },
    async undoReport(owner, id) {
      const wave = await read(owner, id);
      await outcomes.undo(wave, await allowedOf(wave));
    },
    settings,
    async changeSettings(author, change) {
      const changed = { ...(await settings(author)), ...change };
      await store.changeSettings(author, changed, now());
      return changed;
    },
  };
}

/** Without outcomes. */
export const unconfirmed = { confirmedBad: 0, confirmedGood: 0 } as const;

const markOf = ({ atMs, idEnd }: WaveMember): SampleMark => [atMs, idEndText(idEnd)];

function sampleOf(decision: LoggedDecision): WaveSample {
  const { id, gateId, action, createdAtMs } = decision;
  const { email, ip } = decision.read();
  return { decisionId: id, gateId, email, ip, action, createdAtMs };
}

/** Rejects malformed ids without a query. */
function isWaveId(text: string): boolean {
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);
}
