import type { OutcomeName } from '../decisions/outcome.ts';
import type { DecisionSignals } from '../rules/signals.ts';
import type { ExampleTable } from './example-table.ts';

/** Entries of each kind that a table has at most: more change no rule, and each costs time and memory. */
const maxRows = 8_000;

/** The number of entries that each sampled row of a kind represents. */
export type Scales = Readonly<Record<OutcomeName | 'none', number>>;

/** Adds entries to a table, and fewer of them the more there are. */
export interface Sampler {
  /** Adds an entry unless it is left out; its signals are read only then. */
  add(id: string, outcome: OutcomeName | undefined, signals: () => DecisionSignals): number | null;
  readonly scales: Scales;
}

/** Keeps the entries whose hash is a multiple of a power of two, which doubles as often as there are too many: the same log gives the same sample. */
export function createSampler(table: ExampleTable, max = maxRows): Sampler {
  const scales: Record<OutcomeName | 'none', number> = { good: 1, bad: 1, none: 1 };
  const hashes: Record<OutcomeName | 'none', number[]> = { good: [], bad: [], none: [] };
  return {
    scales,
    add(id, outcome, signals) {
      const kind = outcome ?? 'none';
      const hash = hashOf(id);
      if (hash % scales[kind] !== 0) return null;
      const row = table.size;
      table.add(signals(), outcome);
      hashes[kind].push(hash);
      if (hashes[kind].length > max) {
        scales[kind] *= 2;
        const isKept = (index: number): boolean => (hashes[kind][index] ?? 0) % scales[kind] === 0;
        table.keep(kind, isKept);
        hashes[kind] = hashes[kind].filter((_, index) => isKept(index));
      }
      return row;
    },
  };
}

/** Over the random part of an id without its last character, which divides the entries into two halves. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 10; index < 25; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 8;
}
