import type { Owner } from '../http/endpoint.ts';
import { word } from '../traffic/observation-block.ts';
import type { SubjectHashes } from '../traffic/subject-hashes.ts';
import type { WaveOf } from '../traffic/traffic.ts';
import { type DetectedKind, detectedKinds, type KeysByKind, keysByKind, silencedFrom } from './detection/kinds.ts';
import { keyOf, ObservedRow } from './detection/observed-row.ts';
import type { DetectionStore } from './detection-store.ts';
import { linkOf } from './links.ts';

/** The open waves in the memory of this process, for decisions. */
export interface ActiveWaves {
  readonly waveOf: WaveOf;
  /** Reads which waves are open. */
  refresh(): Promise<void>;
}

interface Active {
  readonly id: string;
  readonly values: KeysByKind;
}

/** An environment with open waves. */
interface Monitored {
  readonly waves: Active[];
  /** Values that were judged fine. */
  readonly silent: Set<string>;
}

export function createActiveWaves(
  store: Pick<DetectionStore, 'activeWaves' | 'silences'>,
  hashes: Pick<SubjectHashes, 'ofOwner'>,
  now: () => number,
): ActiveWaves {
  /** By the keys of their owners; nearly all environments have none. */
  let byOwner = new Map<number, Monitored>();
  /** The values of a decision by kind; each call overwrites them. */
  const keys = new Float64Array(detectedKinds.length);
  const keyOfOwner = (owner: Owner): number => keyOf(hashes.ofOwner(owner));
  return {
    waveOf(block, place, nowMs) {
      if (byOwner.size === 0) return null;
      const monitored = byOwner.get(keyOf(block.hash(place + word.owner)));
      if (monitored === undefined) return null;
      const row = new ObservedRow(block, place);
      const judged = monitored.silent.size === 0 ? detectedKinds.length : silencedFrom(row, monitored.silent);
      for (let kind = 0; kind < judged; kind += 1) keys[kind] = (detectedKinds[kind] as DetectedKind).keyOf(row);
      for (const { id, values } of monitored.waves) {
        for (let kind = 0; kind < judged; kind += 1)
          if (nowMs < (values[kind]?.get(keys[kind] as number) ?? 0)) return id;
      }
      return null;
    },
    async refresh() {
      const next = new Map<number, Monitored>();
      for (const { id, owner, values, isFine } of await store.activeWaves()) {
        if (isFine) continue;
        const key = keyOfOwner(owner);
        const monitored = next.get(key) ?? { waves: [], silent: new Set() };
        monitored.waves.push({ id, values: keysByKind(values) });
        next.set(key, monitored);
      }
      const silences = next.size === 0 ? [] : await store.silences(now());
      for (const { owner, kind, key } of silences) next.get(keyOfOwner(owner))?.silent.add(linkOf(kind, key));
      byOwner = next;
    },
  };
}
