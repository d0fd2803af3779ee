import type { SampleMark } from './wave.ts';

/** A wave's members, as keyed hashes. */
export interface WaveMembers {
  /** Addresses, of a network spellings. */
  readonly addresses: Set<number>;
  readonly domains: Set<number>;
  readonly ips: Set<number>;
  /** What links later decisions to the same attack. */
  readonly links: Set<string>;
  /** The allowed decisions. */
  readonly allowed: SampleMark[];
  /** Decisions until this moment are counted. */
  countedThroughMs: number;
}

/** Like other counts, 10,000 means 10,000 or more. */
const mostMembers = 10_000;

export function newMembers(): WaveMembers {
  return {
    addresses: new Set(),
    domains: new Set(),
    ips: new Set(),
    links: new Set(),
    allowed: [],
    countedThroughMs: 0,
  };
}

/** Adds to a set up to its limit; returns whether the member was new. */
export function addMember(set: Set<number>, member: number): boolean {
  if (set.has(member) || set.size >= mostMembers) return false;
  set.add(member);
  return true;
}

/** Adds an allowed decision up to the same limit. */
export function addAllowed({ allowed }: WaveMembers, mark: SampleMark): void {
  if (allowed.length < mostMembers) allowed.push(mark);
}

export function encodeMembers({ addresses, domains, ips, links, countedThroughMs, allowed }: WaveMembers): Uint8Array {
  const sets = [addresses, domains, ips, links].map((set) => [...set]);
  return Buffer.from(JSON.stringify([...sets, countedThroughMs, allowed]));
}

export function decodeMembers(body: Uint8Array): WaveMembers {
  const [addresses, domains, ips, links, countedThroughMs, allowed] = JSON.parse(Buffer.from(body).toString());
  return {
    addresses: new Set(addresses),
    domains: new Set(domains),
    ips: new Set(ips),
    links: new Set(links),
    countedThroughMs,
    allowed,
  };
}
