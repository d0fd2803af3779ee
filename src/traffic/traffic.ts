import type { IpAddress } from '../address/ip.ts';
import type { Owner } from '../http/endpoint.ts';
import { type TrafficSource, trafficSignals } from '../signals/traffic-signals.ts';
import { actions, memberOf, type ObservedCounts, readObservation } from './observation.ts';
import { idEndWord, madeWord, ObservationBlock, traitsOf, word } from './observation-block.ts';
import type { SubjectHashes } from './subject-hashes.ts';
import type { TrafficCounts } from './traffic-counts.ts';
import { bucketOf } from './windows.ts';

/** The subjects of a decision. */
export interface Visit {
  readonly owner: Owner;
  /** Normalised. */
  readonly address: string;
  /** In lower case, the domain in ASCII. */
  readonly spelling: string;
  /** The registrable domain of the address as sent. */
  readonly domain: string;
  /** The registrable domain of the best MX, or its host; null while it is unknown, and for mail servers that everyone shares. */
  readonly mailServer: string | null;
  readonly ip: IpAddress | null;
  /** The number of the autonomous system of the IP address; null while it is unknown. */
  readonly asn?: number | null;
  /** The keyed hash of the device's identifier, as the log shows it; null without one. */
  readonly device?: string | null;
  /** Bits of `trait`. */
  readonly traits: number;
  /** Of the local part; null where shapes are not counted. */
  readonly shape: string | null;
}

/** The values of the traffic fields, in the order of `trafficSignals`; null is unknown. */
export type TrafficValues = readonly (number | boolean | string | null)[];

export interface MadeDecision {
  readonly id: string;
  readonly action: 'allow' | 'block' | 'challenge';
  readonly createdAtMs: number;
}

/** Counts of an environment's own decisions. */
export interface Traffic {
  /** Counts a decision; the values include it. */
  count(visit: Visit, firstSeenDays: number | null): TrafficValues;
  /** The decision that values were counted for is made; other values have no effect. */
  decided(values: object, decision: MadeDecision): void;
  /** The values as if the decision was made now. */
  peek(visit: Visit, firstSeenDays: number | null): TrafficValues;
}

export interface TrafficParts {
  readonly counts: TrafficCounts;
  readonly hashes: SubjectHashes;
  readonly now: () => number;
  /** The block for the observation of one decision, which other processes count too. */
  openBlock(): ObservationBlock;
  /** May keep repeated values in plain text, by the observation at a place; the counts are valid until it returns. */
  onVisit?(visit: Visit, block: ObservationBlock, place: number, counts: ObservedCounts): void;
  /** The open wave that an observation belongs to; null without one. */
  readonly waveOf?: WaveOf;
}

/** Finds the open wave of the observation at a place. */
export type WaveOf = (block: ObservationBlock, place: number, nowMs: number) => string | null;

/** Links values to their observation in the block. A `WeakMap` would do the same, but every garbage collection visits its entries. */
const observation = Symbol('observation');

/** Values with their observation. */
type ObservedValues = { [observation]?: { readonly block: ObservationBlock; readonly place: number } };

export function createTraffic({ counts, hashes, now, openBlock, onVisit, waveOf }: TrafficParts): Traffic {
  return {
    count(visit, firstSeenDays) {
      const nowMs = now();
      const block = openBlock();
      const place = observe(visit, hashes, nowMs, block);
      const observed = readObservation(counts, block, place, bucketOf(nowMs), true);
      onVisit?.(visit, block, place, observed);
      const waveId = waveOf?.(block, place, nowMs) ?? null;
      const values: TrafficValues & ObservedValues = valuesOf(observed, firstSeenDays, waveId);
      values[observation] = { block, place };
      return values;
    },
    decided(values: ObservedValues, { id, action, createdAtMs }) {
      if (values[observation] === undefined) return;
      const { block, place } = values[observation];
      // After a jump of the wall clock, an observation is not later than the clock that detects it.
      const madeMs = Math.min(createdAtMs, now());
      const traits = traitsOf(block, place);
      block.set(place + word.made, madeWord(block.get(place + word.bucket), madeMs, traits, actions.indexOf(action)));
      block.set(place + word.idEnd, idEndWord(id));
    },
    peek(visit, firstSeenDays) {
      const nowMs = now();
      const block = new ObservationBlock();
      const place = observe(visit, hashes, nowMs, block);
      const observed = readObservation(counts, block, place, bucketOf(nowMs), false);
      return valuesOf(observed, firstSeenDays, waveOf?.(block, place, nowMs) ?? null);
    },
  };
}

/** Adds an observation to a block, and returns its place. */
function observe(visit: Visit, hashes: SubjectHashes, nowMs: number, block: ObservationBlock): number {
  const { address, spelling, domain, mailServer, ip, shape, device = null, asn = null } = visit;
  const place = block.add();
  const owner = hashes.ofOwner(visit.owner);
  const hash = hashes.of(owner, address);
  block.setHash(place + word.owner, owner);
  block.setHash(place + word.address, hash);
  block.setHash(place + word.domain, hashes.of(owner, domain));
  if (mailServer !== null) block.setHash(place + word.mailServer, hashes.of(owner, mailServer));
  if (shape !== null) block.setHash(place + word.shape, hashes.of(owner, shape));
  if (device !== null) block.setHash(place + word.device, hashes.of(owner, device));
  if (ip !== null) {
    block.setHash(place + word.ip, hashes.ofIp(owner, ip));
    block.setHash(place + word.network, hashes.ofNetwork(owner, ip));
    block.set(place + word.wideNetwork, memberOf(hashes.ofWideNetwork(owner, ip)));
    block.set(place + word.asn, asn ?? 0);
  }
  block.set(place + word.spelling, memberOf(spelling === address ? hash : hashes.of(owner, spelling)));
  // Any number that no other decision about the address has.
  block.set(place + word.decision, Math.ceil(Math.random() * 2 ** 32) | 0 || 1);
  block.set(place + word.bucket, bucketOf(nowMs));
  block.set(place + word.made, madeWord(bucketOf(nowMs), nowMs, visit.traits, 0));
  return place;
}

/** The sources of the values, in their order. */
const sources: readonly TrafficSource[] = trafficSignals.map(({ source }) => source);

function valuesOf(counts: ObservedCounts, firstSeenDays: number | null, waveId: string | null): TrafficValues {
  return sources.map((source) => {
    if (source === 'firstSeenDays') return firstSeenDays;
    if (source === 'inWave') return waveId !== null;
    if (source === 'waveId') return waveId;
    return counts[source.count][source.window] || null;
  });
}
