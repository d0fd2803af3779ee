import type { Owner } from '../http/endpoint.ts';
import { word } from '../traffic/observation-block.ts';
import type { SubjectHashes } from '../traffic/subject-hashes.ts';
import type { WaveOf } from '../traffic/traffic.ts';
import { valuesOf } from './detection/kinds.ts';
import { keyOf, ObservedRow } from './detection/observed-row.ts';
import type { ActiveWave } from './detection-store.ts';

/** The open waves in the memory of this process, for decisions. */
export interface ActiveWaves {
  readonly waveOf: WaveOf;
  /** Reads which waves are open. */
  refresh(): Promise<void>;
}

interface Active {
  readonly id: string;
  readonly values: ReadonlySet<string>;
  readonly aboveUntilMs: number;
}

export function createActiveWaves(
  load: () => Promise<readonly ActiveWave[]>,
  hashes: Pick<SubjectHashes, 'ofOwner'>,
): ActiveWaves {
  /** By the keys of their owners; nearly all environments have none. */
  let byOwner = new Map<number, Active[]>();
  const keyOfOwner = (owner: Owner): number => keyOf(hashes.ofOwner(owner));
  return {
    waveOf(block, place, nowMs) {
      if (byOwner.size === 0) return null;
      const waves = byOwner.get(keyOf(block.hash(place + word.owner)));
      if (waves === undefined) return null;
      const above = waves.filter(({ aboveUntilMs }) => nowMs < aboveUntilMs);
      if (above.length === 0) return null;
      const own = valuesOf(new ObservedRow(block, place));
      return above.find(({ values }) => own.some((value) => values.has(value)))?.id ?? null;
    },
    async refresh() {
      const next = new Map<number, Active[]>();
      for (const { id, owner, values, aboveUntilMs, isFine } of await load()) {
        if (isFine) continue;
        const key = keyOfOwner(owner);
        const wave = { id, values: new Set(values), aboveUntilMs };
        next.set(key, [...(next.get(key) ?? []), wave]);
      }
      byOwner = next;
    },
  };
}
