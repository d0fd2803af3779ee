import type { IpAddress } from '../address/ip.ts';
import type { Owner } from '../http/endpoint.ts';
import { noHash } from './keyed-hash.ts';
import { memberOf, type Observation, type ObservedCounts, readObservation } from './observation.ts';
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
}

/** The values of the traffic fields, in the order of `trafficSignals`; null is unknown. */
export type TrafficValues = readonly (number | null)[];

/** Counts of an environment's own decisions. */
export interface Traffic {
  /** Counts a decision; the values include it. */
  count(visit: Visit, firstSeenDays: number | null): TrafficValues;
  /** The values as if the decision was made now. */
  peek(visit: Visit, firstSeenDays: number | null): TrafficValues;
}

/** What counting needs; `onCounted` receives what other processes are to count too. */
export interface TrafficParts {
  readonly counts: TrafficCounts;
  readonly hashes: SubjectHashes;
  readonly now: () => number;
  onCounted(seen: Observation): void;
}

export function createTraffic({ counts, hashes, now, onCounted }: TrafficParts): Traffic {
  const observe = (visit: Visit, bucket: number): Observation => {
    const { address, spelling, domain, mailServer, ip } = visit;
    const owner = hashes.ofOwner(visit.owner);
    const hash = hashes.of(owner, address);
    return {
      bucket,
      address: hash,
      domain: hashes.of(owner, domain),
      mailServer: mailServer === null ? noHash : hashes.of(owner, mailServer),
      ip: ip === null ? noHash : hashes.ofIp(owner, ip),
      network: ip === null ? noHash : hashes.ofNetwork(owner, ip),
      spelling: memberOf(spelling === address ? hash : hashes.of(owner, spelling)),
      // Any number will do that no other decision about the address has.
      decision: Math.ceil(Math.random() * 2 ** 32) | 0 || 1,
    };
  };
  return {
    count(visit, firstSeenDays) {
      const bucket = bucketOf(now());
      const seen = observe(visit, bucket);
      onCounted(seen);
      return valuesOf(readObservation(counts, seen, bucket, true), firstSeenDays);
    },
    peek(visit, firstSeenDays) {
      const bucket = bucketOf(now());
      return valuesOf(readObservation(counts, observe(visit, bucket), bucket, false), firstSeenDays);
    },
  };
}

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
