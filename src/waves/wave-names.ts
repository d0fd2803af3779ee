import { networkOf } from '../address/ip-network.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { detachedCopy } from '../platform/detached-copy.ts';
import type { ObservedCounts } from '../traffic/observation.ts';
import type { HashAt, Visit } from '../traffic/traffic.ts';
import { keyOf } from './observed-row.ts';
import { type WaveKind, waveKinds } from './wave.ts';

/**
 * Recent values in plain text, by their keys. Counts have keyed hashes only, so the plain text of a value is known to the
 * processes that decided about it, in memory, until a wave is named after it.
 */
export interface WaveNames {
  /** Keeps values that repeat. */
  note(visit: Visit, hashAt: HashAt, counts: ObservedCounts): void;
  of(kind: WaveKind, key: number): string | null;
  size(): number;
}

/** Values of each kind. One that does not repeat is not kept, so that all-different sign-ups evict none. */
const mostValues = 20_000;

export function createWaveNames(): WaveNames {
  const names = Object.fromEntries(waveKinds.map((kind) => [kind, boundedMap<number, string>(mostValues)]));
  const keep = (kind: WaveKind, key: number, text: () => string): void => {
    const known = names[kind];
    if (known?.get(key) === undefined) known?.set(key, detachedCopy(text()));
  };
  return {
    note({ domain, mailServer, ip, shape, standing }, hashAt, counts) {
      if (standing === 0) {
        if (counts.domain.day > 1) keep('domain', keyOf(hashAt('domain')), () => domain);
        if (mailServer !== null && counts.mailServer.day > 1)
          keep('mail_server', keyOf(hashAt('mailServer')), () => mailServer);
        if (shape !== null) keep('shape', keyOf(hashAt('shape')), () => shape);
      }
      if (ip === null) return;
      // Variants of one mailbox are one address.
      const repeats = counts.network.hour > 1 || counts.spellings.day > 1;
      if (repeats) keep('network', keyOf(hashAt('network')), () => networkOf(ip.text) ?? '');
    },
    of: (kind, key) => names[kind]?.get(key) ?? null,
    size: () => waveKinds.reduce((sum, kind) => sum + (names[kind]?.size ?? 0), 0),
  };
}
