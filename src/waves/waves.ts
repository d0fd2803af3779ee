import { AppError } from '../errors.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import {
  type SampleMark,
  type StoredWave,
  standardSettings,
  type Verdict,
  type WaveSample,
  type WaveSettings,
} from './wave.ts';
import type { WaveFilter, WavesStore } from './waves-store.ts';

/** Customers' operations on waves. A missing wave and one of another owner throw the same `AppError`. */
export interface Waves {
  /** Newest first. */
  list(owner: Owner, filter: WaveFilter, limit: number): Promise<StoredWave[]>;
  read(owner: Owner, id: string): Promise<StoredWave>;
  /** Decisions of the wave that the log still has, newest first. */
  samples(wave: StoredWave): Promise<WaveSample[]>;
  /** After `fine` the same value raises no wave for 30 days. */
  judge(author: Author, id: string, verdict: Verdict | null): Promise<StoredWave>;
  settings(owner: Owner): Promise<WaveSettings>;
  changeSettings(author: Author, change: Partial<WaveSettings>): Promise<WaveSettings>;
}

export interface WavesParts {
  readonly store: WavesStore;
  /** Finds decisions in the log of an owner by their marks. */
  readonly findSamples: (owner: Owner, marks: readonly SampleMark[]) => Promise<WaveSample[]>;
  readonly now: () => number;
}

const silenceMs = 30 * 86_400_000;

export function createWaves({ store, findSamples, now }: WavesParts): Waves {
  const settings = async (owner: Owner): Promise<WaveSettings> => (await store.settings(owner)) ?? standardSettings;
  return {
    list: (owner, filter, limit) => store.list(owner, filter, limit),
    async read(owner, id) {
      const wave = isWaveId(id) ? await store.find(owner, id) : null;
      if (wave === null) throw new AppError('wave_not_found');
      return wave;
    },
    samples: ({ owner, samples }) => findSamples(owner, samples),
    async judge(author, id, verdict) {
      const nowMs = now();
      const silentUntilMs = verdict === 'fine' ? nowMs + silenceMs : null;
      const wave = isWaveId(id) ? await store.judge(author, id, verdict, silentUntilMs, nowMs) : null;
      if (wave === null) throw new AppError('wave_not_found');
      return wave;
    },
    settings,
    async changeSettings(author, change) {
      const changed = { ...(await settings(author)), ...change };
      await store.changeSettings(author, changed, now());
      return changed;
    },
  };
}

/** Rejects malformed ids without a query. */
function isWaveId(text: string): boolean {
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);
}
