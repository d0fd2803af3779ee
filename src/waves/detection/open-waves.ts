import type { Owner } from '../../http/endpoint.ts';
import type { DetectionStore, OpenWaveRecord } from '../detection-store.ts';
import { decodeMembers } from '../wave-members.ts';
import { OpenWave } from './open-wave.ts';
import { thresholds } from './thresholds.ts';

/** The open waves that this process continues, by their ids, and the marks of all waves on rows. */
export interface OpenWaves {
  /**
   * Reads which waves are open and judged fine. Returns newly read waves, and those that have ended since a moment and were not read
   * before: their decisions count for no other wave.
   */
  refresh(endedSinceMs: number): Promise<OpenWave[]>;
  ofOwner(owner: Owner): OpenWave[];
  all(): Iterable<OpenWave>;
  /** Adds a wave that is raised. */
  add(record: OpenWaveRecord): OpenWave;
  end(id: string, atMs: number): void;
  /** Whether the wave with this number is slow: its rows count again for the same value. */
  isSlow(number: number): boolean;
  /** Whether the wave with this number was judged fine: its rows are history. */
  isFine(number: number): boolean;
  /** Open waves, and ended ones whose rows may be in the window. */
  size(): number;
  clear(): void;
}

/** An open or ended wave, for the rows that it has counted. */
interface Mark {
  readonly id: string;
  readonly isSlow: boolean;
  readonly isFine: boolean;
}

/** Rows of an ended wave are in the window for so long after the day in which it ended. */
const marksMs = 2 * 3_600_000;

export function createOpenWaves(store: Pick<DetectionStore, 'activeWaves' | 'endedSince' | 'storedWave'>): OpenWaves {
  const byId = new Map<string, OpenWave>();
  let lastNumber = 0;
  const marks = new Map<number, Mark>();
  /** When the waves ended that have a mark but are no longer open, by their numbers. */
  const endedAtMs = new Map<number, number>();
  const knownIds = new Set<string>();
  const number = (record: OpenWaveRecord): OpenWave => {
    lastNumber += 1;
    const wave = new OpenWave(lastNumber, record);
    wave.isFine = record.wave.verdict === 'fine';
    marks.set(lastNumber, wave);
    knownIds.add(wave.id);
    return wave;
  };
  const add = (record: OpenWaveRecord): OpenWave => {
    const wave = number(record);
    byId.set(wave.id, wave);
    return wave;
  };
  /** An ended wave leaves its mark, without its members. */
  const end = (wave: OpenWave, atMs: number): void => {
    byId.delete(wave.id);
    marks.set(wave.number, { id: wave.id, isSlow: wave.isSlow, isFine: wave.isFine });
    endedAtMs.set(wave.number, atMs);
  };
  const forgetBefore = (atMs: number): void => {
    for (const [ended, endedMs] of endedAtMs) {
      if (endedMs >= atMs) continue;
      knownIds.delete(marks.get(ended)?.id ?? '');
      marks.delete(ended);
      endedAtMs.delete(ended);
    }
  };
  const read = async (id: string): Promise<OpenWaveRecord | null> => {
    const record = await store.storedWave(id);
    return record && { ...record, members: record.chunks.flatMap(decodeMembers) };
  };
  const readEnded = async (sinceMs: number): Promise<OpenWave[]> => {
    const waves: OpenWave[] = [];
    for (const id of await store.endedSince(sinceMs)) {
      const record = knownIds.has(id) ? null : await read(id);
      if (record === null) continue;
      const wave = number(record);
      end(wave, record.wave.endedAtMs ?? sinceMs);
      waves.push(wave);
    }
    return waves;
  };
  return {
    async refresh(endedSinceMs) {
      const active = await store.activeWaves();
      const ids = new Set(active.map(({ id }) => id));
      for (const wave of byId.values()) if (!ids.has(wave.id)) end(wave, endedSinceMs + thresholds.slowMs);
      forgetBefore(endedSinceMs - marksMs);
      const added: OpenWave[] = [];
      for (const { id, isFine } of active) {
        let wave = byId.get(id);
        if (wave === undefined) {
          const record = await read(id);
          if (record === null) continue;
          wave = add(record);
          added.push(wave);
        }
        wave.isFine = isFine;
      }
      return [...added, ...(await readEnded(endedSinceMs))];
    },
    ofOwner: (owner) => [...byId.values()].filter((wave) => wave.isOf(owner)),
    all: () => byId.values(),
    add,
    end(id, atMs) {
      const wave = byId.get(id);
      if (wave !== undefined) end(wave, atMs);
    },
    isSlow: (number) => marks.get(number)?.isSlow ?? false,
    isFine: (number) => marks.get(number)?.isFine ?? false,
    size: () => marks.size,
    clear() {
      byId.clear();
      marks.clear();
      endedAtMs.clear();
      knownIds.clear();
    },
  };
}
