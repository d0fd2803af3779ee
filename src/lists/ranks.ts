import seed from '../../data/rank-seed.json' with { type: 'json' };
import type { RankSource } from '../signals/sources.ts';
import type { ListLog } from './snapshot-store.ts';

/** Popularity ranks, open. */
export interface Ranks extends RankSource {
  close(): void;
}

/** Ranks from the seed of domains everybody knows. */
export function openRanks(_options: { file: string; log: ListLog }): Ranks {
  const seeded = new Map(seed.entries as [string, number][]);
  return {
    rank: (registrable) => seeded.get(registrable) ?? null,
    close: () => {},
  };
}
