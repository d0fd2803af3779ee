import type { IpAddress } from '../address/ip.ts';
import type { Owner } from '../http/endpoint.ts';
import { noHash } from './keyed-hash.ts';
import { actions, memberOf, type Observation, type ObservedCounts, readObservation } from './observation.ts';
import type { SubjectHashes } from './subject-hashes.ts';
import type { TrafficCounts } from './traffic-counts.ts';
import { bucketOf } from './windows.ts';

/** What a decision is about. */
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
  /** Bits of `standing`. */
  readonly standing: number;
  /** Of the local part; null where shapes are not counted. */
  readonly shape: string | null;
}

/** The values of the traffic fields, in the order of `trafficSignals`; null is unknown. */
export type TrafficValues = readonly (number | null)[];

/** What traffic needs to know of a decision. */
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

/** What counting needs; `onCounted` receives what other processes are to count too. `onVisit` may keep what repeats in plain text. */
export interface TrafficParts {
  readonly counts: TrafficCounts;
  readonly hashes: SubjectHashes;
  readonly now: () => number;
  onCounted(seen: Observation): void;
  onVisit?(visit: Visit, seen: Observation, counts: ObservedCounts): void;
}

/** On values, what they were counted for: a `WeakMap` would do the same, but every garbage collection visits its entries. */
const observation = Symbol('observation');

export function createTraffic({ counts, hashes, now, onCounted, onVisit }: TrafficParts): Traffic {
  const observe = (visit: Visit, nowMs: number): Observation => {
    const { address, spelling, domain, mailServer, ip, shape } = visit;
    const owner = hashes.ofOwner(visit.owner);
    const hash = hashes.of(owner, address);
    return {
      bucket: bucketOf(nowMs),
      address: hash,
      domain: hashes.of(owner, domain),
      mailServer: mailServer === null ? noHash : hashes.of(owner, mailServer),
      ip: ip === null ? noHash : hashes.ofIp(owner, ip),
      network: ip === null ? noHash : hashes.ofNetwork(owner, ip),
      spelling: memberOf(spelling === address ? hash : hashes.of(owner, spelling)),
      // Any number will do that no other decision about the address has.
      decision: Math.ceil(Math.random() * 2 ** 32) | 0 || 1,
      owner,
      shape: shape === null ? noHash : hashes.of(owner, shape),
      standing: visit.standing,
      madeAtMs: nowMs,
      action: 0,
      decisionId: '',
    };
  };
  return {
    count(visit, firstSeenDays) {
      const seen = observe(visit, now());
      onCounted(seen);
      const observed = readObservation(counts, seen, seen.bucket, true);
      onVisit?.(visit, seen, observed);
      const values: TrafficValues & ObservedValues = valuesOf(observed, firstSeenDays);
      values[observation] = seen;
      return values;
    },
    decided(values: ObservedValues, { id, action, createdAtMs }) {
      const seen = values[observation];
      if (seen === undefined) return;
      seen.decisionId = id;
      seen.action = actions.indexOf(action);
      seen.madeAtMs = createdAtMs;
    },
    peek(visit, firstSeenDays) {
      const seen = observe(visit, now());
      return valuesOf(readObservation(counts, seen, seen.bucket, false), firstSeenDays);
    },
  };
}

/** Values with what they were counted for. */
type ObservedValues = { [observation]?: Observation };

function valuesOf(counts: ObservedCounts, firstSeenDays: number | null): TrafficValues {
  const { decisions, spellings, domain, mailServer, mailServerDomains, ip, network } = counts;
  return [
    decisions?.hour ?? null,
    decisions?.day ?? null,
    spellings?.day ?? null,
    domain?.hour ?? null,
    domain?.day ?? null,
    firstSeenDays,
    mailServer?.hour ?? null,
    mailServer?.day ?? null,
    mailServerDomains?.day ?? null,
    ip?.hour ?? null,
    ip?.day ?? null,
    network?.hour ?? null,
    network?.day ?? null,
  ];
}
