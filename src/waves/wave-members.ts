/** What a wave has counted, as keyed hashes. */
export interface WaveMembers {
  /** Addresses, of a network spellings. */
  readonly addresses: Set<number>;
  readonly domains: Set<number>;
  readonly ips: Set<number>;
  /** What links later decisions to the same attack. */
  readonly links: Set<string>;
  /** Decisions until this moment are counted. */
  countedThroughMs: number;
}

/** Like other counts, 10,000 means 10,000 or more. */
const mostMembers = 10_000;

export function newMembers(): WaveMembers {
  return { addresses: new Set(), domains: new Set(), ips: new Set(), links: new Set(), countedThroughMs: 0 };
}

/** Adds to a set up to its limit; whether it was new. */
export function addMember(set: Set<number>, member: number): boolean {
  if (set.has(member) || set.size >= mostMembers) return false;
  set.add(member);
  return true;
}

export function encodeMembers({ addresses, domains, ips, links, countedThroughMs }: WaveMembers): Uint8Array {
  return Buffer.from(JSON.stringify([[...addresses], [...domains], [...ips], [...links], countedThroughMs]));
}

export function decodeMembers(body: Uint8Array): WaveMembers {
  const [addresses, domains, ips, links, countedThroughMs] = JSON.parse(Buffer.from(body).toString());
  return {
    addresses: new Set(addresses),
    domains: new Set(domains),
    ips: new Set(ips),
    links: new Set(links),
    countedThroughMs,
  };
}
