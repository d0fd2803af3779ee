import type { Hash } from '../traffic/keyed-hash.ts';
import { isPresent, memberOf } from '../traffic/observation.ts';
import { actionOf, madeAtMs, type ObservationBlock, standingOf, word } from '../traffic/observation-block.ts';
import type { WaveKind } from './wave.ts';

/** What the detection needs from one decision, as numbers; 0 is absent. */
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
  /** See `idEndText`. */
  readonly idEnd: number;
  /** Distinct addresses within a day at the domain, and at the mail server with so many domains, the row included. */
  readonly domainDay: number;
  readonly mailServerDay: number;
  readonly mailServerDomainsDay: number;
  /** A wave has counted it. */
  isCounted: boolean;
}

/** A key in 53 bits, which a number holds exactly; 0 where the hash is absent. */
export function keyOf(hash: Hash): number {
  return isPresent(hash) ? (hash.hi & 0x1fffff) * 2 ** 32 + (hash.lo >>> 0) : 0;
}

/** The row of an observation; null when its address was erased or its decision failed. Established domains are no waves. */
export function toRow(block: ObservationBlock, place: number): ObservedRow | null {
  const address = block.hash(place + word.address);
  const action = actionOf(block, place);
  if (!isPresent(address) || action === 0) return null;
  const standing = standingOf(block, place);
  const isWaveable = standing === 0;
  const ip = block.hash(place + word.ip);
  const domain = keyOf(block.hash(place + word.domain));
  return {
    atMs: madeAtMs(block, place),
    address: memberOf(address),
    spelling: block.get(place + word.spelling),
    ip: isPresent(ip) ? memberOf(ip) : 0,
    keys: {
      domain: isWaveable ? domain : 0,
      mail_server: isWaveable ? keyOf(block.hash(place + word.mailServer)) : 0,
      network: keyOf(block.hash(place + word.network)),
      shape: keyOf(block.hash(place + word.shape)),
    },
    domain,
    standing,
    action,
    idEnd: block.get(place + word.idEnd),
    domainDay: block.get(place + word.domainDay),
    mailServerDay: block.get(place + word.mailServerDay),
    mailServerDomainsDay: block.get(place + word.mailServerDomainsDay),
    isCounted: false,
  };
}
