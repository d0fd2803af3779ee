import type { Owner } from '../../http/endpoint.ts';
import type { DetectionStore, OpenWaveRecord } from '../detection-store.ts';
import { decodeMembers } from '../wave-members.ts';
import { OpenWave } from './open-wave.ts';

/** The open waves that this process continues, by their ids, and the marks of all waves on rows. */
export interface OpenWaves {
  /** Reads which waves are open and judged fine. Newly read waves are returned. */
  refresh(): Promise<OpenWave[]>;
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

export function createOpenWaves(store: Pick<DetectionStore, 'activeWaves' | 'openWave'>): OpenWaves {
  const byId = new Map<string, OpenWave>();
  /** Ended ones too: rows keep their numbers. */
  const byNumber = new Map<number, OpenWave>();
  let lastNumber = 0;
  const add = (record: OpenWaveRecord): OpenWave => {
    lastNumber += 1;
    const wave = new OpenWave(lastNumber, record);
    byId.set(wave.id, wave);
    byNumber.set(lastNumber, wave);
    return wave;
  };
  return {
    async refresh() {
      const active = await store.activeWaves();
      const ids = new Set(active.map(({ id }) => id));
      for (const id of byId.keys()) if (!ids.has(id)) byId.delete(id);
      const read: OpenWave[] = [];
      for (const { id, isFine } of active) {
        let wave = byId.get(id);
        if (wave === undefined) {
          const record = await store.openWave(id);
          if (record === null) continue;
          wave = add({ ...record, members: record.chunks.flatMap(decodeMembers) });
          read.push(wave);
        }
        wave.isFine = isFine;
      }
      return read;
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
    },
  };
}
