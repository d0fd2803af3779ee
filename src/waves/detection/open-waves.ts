import type { Owner } from '../../http/endpoint.ts';
import type { DetectionStore, OpenWaveRecord } from '../detection-store.ts';
import { decodeMembers } from '../wave-members.ts';
import { OpenWave } from './open-wave.ts';

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
  remove(id: string): void;
  /** Whether the wave with this number is slow: its rows count again for the same value. */
  isSlow(number: number): boolean;
  /** Whether the wave with this number was judged fine: its rows are history. */
  isFine(number: number): boolean;
  clear(): void;
}

export function createOpenWaves(store: Pick<DetectionStore, 'activeWaves' | 'endedSince' | 'storedWave'>): OpenWaves {
  const byId = new Map<string, OpenWave>();
  /** Ended ones too: rows keep their numbers. */
  const byNumber = new Map<number, OpenWave>();
  let lastNumber = 0;
  /** Every wave that has a number. */
  const knownIds = new Set<string>();
  const number = (record: OpenWaveRecord): OpenWave => {
    lastNumber += 1;
    const wave = new OpenWave(lastNumber, record);
    wave.isFine = record.wave.verdict === 'fine';
    byNumber.set(lastNumber, wave);
    knownIds.add(wave.id);
    return wave;
  };
  const add = (record: OpenWaveRecord): OpenWave => {
    const wave = number(record);
    byId.set(wave.id, wave);
    return wave;
  };
  const read = async (id: string): Promise<OpenWaveRecord | null> => {
    const record = await store.storedWave(id);
    return record && { ...record, members: record.chunks.flatMap(decodeMembers) };
  };
  const readEnded = async (sinceMs: number): Promise<OpenWave[]> => {
    const waves: OpenWave[] = [];
    for (const id of await store.endedSince(sinceMs)) {
      const record = knownIds.has(id) ? null : await read(id);
      if (record !== null) waves.push(number(record));
    }
    return waves;
  };
  return {
    async refresh(endedSinceMs) {
      const active = await store.activeWaves();
      const ids = new Set(active.map(({ id }) => id));
      for (const id of byId.keys()) if (!ids.has(id)) byId.delete(id);
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
    remove: (id) => void byId.delete(id),
    isSlow: (number) => byNumber.get(number)?.isSlow ?? false,
    isFine: (number) => byNumber.get(number)?.isFine ?? false,
    clear() {
      byId.clear();
      byNumber.clear();
      knownIds.clear();
    },
  };
}
