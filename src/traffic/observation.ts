import { combineHashes, type Hash, noHash } from './keyed-hash.ts';
import type { TrafficCounts } from './traffic-counts.ts';
import type { WindowCounts } from './windows.ts';

/** What is counted of one decision, as keyed hashes under its owner; `noHash` where something is absent, unknown or erased. */
export interface Observation {
  readonly bucket: number;
  readonly address: Hash;
  readonly domain: Hash;
  readonly mailServer: Hash;
  readonly ip: Hash;
  readonly network: Hash;
  /** The spelling of the address, and the decision itself, as members. */
  readonly spelling: number;
  readonly decision: number;
  readonly owner: Hash;
  /** The shape of the local part, at domains that are neither public nor established. */
  readonly shape: Hash;
  /** What kind of domain it is; bits of `standing`. */
  readonly standing: number;
  /** Of the decision, once it is made: when, the place of its action in `actions`, and its id (of a read block the id's end). */
  madeAtMs: number;
  action: number;
  decisionId: string;
}

/** Bits of an observation's `standing`. */
export const standing = { public: 1, established: 2 } as const;

/** Actions by their numbers in observations; the first is unknown. */
export const actions = ['', 'allow', 'block', 'challenge'] as const;

/** An observation of nothing. */
export const nothingSeen: Observation = {
  bucket: 0,
  address: noHash,
  domain: noHash,
  mailServer: noHash,
  ip: noHash,
  network: noHash,
  spelling: 0,
  decision: 0,
  owner: noHash,
  shape: noHash,
  standing: 0,
  madeAtMs: 0,
  action: 0,
  decisionId: '',
};

/** What can be erased from counts. */
export const erasable = ['address', 'domain', 'ip'] as const;
export type Erasable = (typeof erasable)[number];

/** Each count has keys of its own, all those of a subject in one partition. */
const kinds = {
  decisions: 1,
  spellings: 2,
  domain: 3,
  mailServer: 4,
  mailServerDomains: 5,
  ip: 6,
  network: 7,
} as const;
type Kind = keyof typeof kinds;

const kindHashes = Object.fromEntries(
  Object.entries(kinds).map(([kind, number]) => {
    return [kind, { hi: Math.imul(number, 0x9e3779b1), lo: number << 16 }];
  }),
) as Record<Kind, Hash>;

/** A key or member is in use unless its hash is absent. */
export const isPresent = ({ hi, lo }: Hash): boolean => hi !== 0 || lo !== 0;

/** The member that a hash is in the sets of others. */
export const memberOf = ({ lo }: Hash): number => (lo === 0 ? 1 : lo);

/** Calls `visit` for each key of an observation with the member that it gains. */
function eachCount(seen: Observation, visit: (kind: Kind, key: Hash, member: number) => void): void {
  const { address, domain, mailServer, ip, network } = seen;
  const has = (kind: Kind, key: Hash, member: number): void => {
    if (isPresent(key)) visit(kind, combineHashes(key, kindHashes[kind]), member);
  };
  if (isPresent(domain)) has('mailServerDomains', mailServer, memberOf(domain));
  if (!isPresent(address)) return;
  has('decisions', address, seen.decision);
  has('spellings', address, seen.spelling);
  const member = memberOf(address);
  has('domain', domain, member);
  has('mailServer', mailServer, member);
  has('ip', ip, member);
  has('network', network, member);
}

/** Counts an observation. */
export function addObservation(counts: TrafficCounts, seen: Observation, now: number): void {
  eachCount(seen, (_kind, key, member) => counts.add(key, member, seen.bucket, now));
}

/** The counts of an observation as if it was made now; null for those whose key is unknown. */
export type ObservedCounts = Readonly<Record<Kind, Readonly<WindowCounts> | null>>;

/** Reads the counts of an observation made now, and adds it to them if it is `counted`. */
export function readObservation(
  counts: TrafficCounts,
  seen: Observation,
  now: number,
  counted: boolean,
): ObservedCounts {
  const { address, domain, mailServer, ip, network } = seen;
  const read = (kind: Kind, subject: Hash, member: number): WindowCounts | null => {
    if (!isPresent(subject)) return null;
    const into = { hour: 0, day: 0 };
    const key = combineHashes(subject, kindHashes[kind]);
    if (counted) counts.count(key, member, now, into);
    else counts.read(key, member, now, into);
    return into;
  };
  const member = memberOf(address);
  return {
    decisions: read('decisions', address, seen.decision),
    spellings: read('spellings', address, seen.spelling),
    domain: read('domain', domain, member),
    mailServer: read('mailServer', mailServer, member),
    mailServerDomains: read('mailServerDomains', mailServer, memberOf(domain)),
    ip: read('ip', ip, member),
    network: read('network', network, member),
  };
}

/** Deletes the counts of an erased address, domain or IP address, and removes it from the counts of others. */
export function retractObservation(counts: TrafficCounts, seen: Observation, what: Erasable, now: number): void {
  const own: Readonly<Record<Erasable, readonly Kind[]>> = {
    address: ['decisions', 'spellings'],
    domain: ['domain'],
    ip: ['ip'],
  };
  const erased = memberOf(seen[what]);
  eachCount(seen, (kind, key, member) => {
    if (own[what].includes(kind)) counts.remove(key, null, now);
    else if (member === erased && what !== 'ip') counts.remove(key, member, now);
  });
}

/** The observation without what is erased from it. */
export function withoutErased(seen: Observation, what: Erasable): Observation {
  if (what !== 'address') return { ...seen, [what]: noHash };
  return { ...seen, address: noHash, spelling: 0, decision: 0, shape: noHash, decisionId: '' };
}
