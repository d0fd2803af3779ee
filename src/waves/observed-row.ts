import type { Hash } from '../traffic/keyed-hash.ts';
import { isPresent, memberOf, type Observation } from '../traffic/observation.ts';
import type { WaveKind } from './wave.ts';

/** What the detection needs of one decision, as numbers; 0 is absent. */
export interface ObservedRow {
  readonly atMs: number;
  readonly address: number;
  readonly spelling: number;
  readonly ip: number;
  readonly keys: Readonly<Record<WaveKind, number>>;
  /** The registrable domain, whatever its standing. */
  readonly domain: number;
  readonly standing: number;
  readonly action: number;
  readonly idEnd: string;
  /** Distinct addresses within a day at the domain, and at the mail server with so many domains, the row included. */
  readonly day: DayCounts;
  /** A wave has counted it. */
  isCounted: boolean;
}

export interface DayCounts {
  readonly domain: number;
  readonly mailServer: number;
  readonly mailServerDomains: number;
}

/** A key in 53 bits, which a number holds exactly; 0 where the hash is absent. */
export function keyOf(hash: Hash): number {
  return isPresent(hash) ? (hash.hi & 0x1fffff) * 2 ** 32 + (hash.lo >>> 0) : 0;
}

/** The row of an observation; null when its address was erased or its decision failed. Established domains are no waves. */
export function toRow(seen: Observation, day: DayCounts): ObservedRow | null {
  if (!isPresent(seen.address) || seen.action === 0) return null;
  const isWaveable = seen.standing === 0;
  return {
    atMs: seen.madeAtMs,
    address: memberOf(seen.address),
    spelling: seen.spelling,
    ip: isPresent(seen.ip) ? memberOf(seen.ip) : 0,
    keys: {
      domain: isWaveable ? keyOf(seen.domain) : 0,
      mail_server: isWaveable ? keyOf(seen.mailServer) : 0,
      network: keyOf(seen.network),
      shape: keyOf(seen.shape),
    },
    domain: keyOf(seen.domain),
    standing: seen.standing,
    action: seen.action,
    idEnd: seen.decisionId,
    day,
    isCounted: false,
  };
}
