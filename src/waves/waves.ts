import { AppError } from '../errors.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { actions } from '../traffic/observation.ts';
import { idEndText } from '../traffic/observation-block.ts';
import {
  type ReportedOutcome,
  type SampleMark,
  type StoredWave,
  standardSettings,
  type Verdict,
  type WaveOutcomes,
  type WaveSample,
  type WaveSettings,
} from './wave.ts';
import { decodeMembers } from './wave-members.ts';
import type { WaveFilter, WavesStore } from './waves-store.ts';

/** Customers' operations on waves. A missing wave and one of another owner throw the same `AppError`. */
export interface Waves {
  /** Newest first. */
  list(owner: Owner, filter: WaveFilter, limit: number): Promise<StoredWave[]>;
  read(owner: Owner, id: string): Promise<StoredWave>;
  /** Decisions of the wave that the log still has, newest first. */
  samples(wave: StoredWave): Promise<WaveSample[]>;
  /** The gate that let most of the wave in, or received most of it if none got in; null if the log has none of it. */
  mainGate(wave: StoredWave): Promise<string | null>;
  /** After `fine` the same value raises no wave for 30 days. */
  judge(author: Author, id: string, verdict: Verdict | null): Promise<StoredWave>;
  /** Reports the outcome of every allowed decision of a wave; see `WaveOutcomes`. */
  report(owner: Owner, id: string, outcome: ReportedOutcome): ReturnType<WaveOutcomes['report']>;
  undoReport(owner: Owner, id: string): Promise<void>;
  settings(owner: Owner): Promise<WaveSettings>;
  changeSettings(author: Author, change: Partial<WaveSettings>): Promise<WaveSettings>;
}

export interface WavesParts {
  readonly store: WavesStore;
  /** Finds decisions in the log of an owner by their marks. */
  readonly findSamples: (owner: Owner, marks: readonly SampleMark[]) => Promise<WaveSample[]>;
  readonly outcomes: WaveOutcomes;
  readonly now: () => number;
}

const silenceMs = 30 * 86_400_000;
/** Decisions that are looked up in the log to find a wave's gate. */
const mostSpread = 20;

export function createWaves({ store, findSamples, outcomes, now }: WavesParts): Waves {
  const settings = async (owner: Owner): Promise<WaveSettings> => (await store.settings(owner)) ?? standardSettings;
  const read = async (owner: Owner, id: string): Promise<StoredWave> => {
    const wave = isWaveId(id) ? await store.find(owner, id) : null;
    if (wave === null) throw new AppError('wave_not_found');
    return wave;
  };
  const allowedOf = async (wave: StoredWave): Promise<readonly SampleMark[]> => {
    const members = (await store.members(wave.id)).flatMap(decodeMembers);
    const allowed = members.filter(({ action }) => actions[action] === 'allow');
    return allowed.map(({ atMs, idEnd }) => [atMs, idEndText(idEnd)]);
  };
  return {
    list: (owner, filter, limit) => store.list(owner, filter, limit),
    read,
    samples: ({ owner, samples }) => findSamples(owner, samples),
    async mainGate(wave) {
      const allowed = await allowedOf(wave);
      const found = await findSamples(wave.owner, spread(allowed.length > 0 ? allowed : wave.samples));
      const byGate = [...Map.groupBy(found, ({ gateId }) => gateId)];
      return byGate.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null;
    },
    async judge(author, id, verdict) {
      const nowMs = now();
      const silentUntilMs = verdict === 'fine' ? nowMs + silenceMs : null;
      const wave = isWaveId(id) ? await store.judge(author, id, verdict, silentUntilMs, nowMs) : null;
      if (wave === null) throw new AppError('wave_not_found');
      return wave;
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

/** Some of many marks, at equal distances. */
function spread(marks: readonly SampleMark[]): readonly SampleMark[] {
  const step = Math.ceil(marks.length / mostSpread);
  return marks.filter((_, index) => index % step === 0);
}

/** Rejects malformed ids without a query. */
function isWaveId(text: string): boolean {
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);
}
