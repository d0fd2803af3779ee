import type { Hash } from './keyed-hash.ts';
import { type ObservationBlock, word } from './observation-block.ts';
import type { TrafficCounts } from './traffic-counts.ts';
import type { WindowCounts } from './windows.ts';

/** Bits of an observation's `standing`. */
export const standing = { public: 1, established: 2 } as const;

/** Actions by their numbers in observations; the first is unknown. */
export const actions = ['', 'allow', 'block', 'challenge'] as const;

/** What can be erased from counts. */
export const erasable = ['address', 'domain', 'ip'] as const;
export type Erasable = (typeof erasable)[number];

/** Each count has its own keys, all those of a subject in one partition and with the bits of its owner. */
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

const mapKinds = <T>(make: (number: number) => T): Record<Kind, T> =>
  Object.fromEntries(Object.entries(kinds).map(([kind, number]) => [kind, make(number)])) as Record<Kind, T>;

const kindHashes = mapKinds((number): Hash => ({ hi: number << 28, lo: 0 }));

/** A key or member is in use unless its hash is absent. */
export const isPresent = ({ hi, lo }: Hash): boolean => hi !== 0 || lo !== 0;

/** The member that a hash is in the sets of others. */
export const memberOf = ({ hi }: Hash): number => (hi === 0 ? 1 : hi);

/** The key of a kind of count, overwritten by the next call: a decision has seven. */
const key = { hi: 0, lo: 0 };
function keyOfKind(kind: Kind, subject: Hash): Hash {
  key.hi = subject.hi ^ kindHashes[kind].hi;
  key.lo = subject.lo ^ kindHashes[kind].lo;
  return key;
}

/** Calls `visit` for each key of an observation with the member that it gains. */
function eachCount(
  block: ObservationBlock,
  place: number,
  visit: (kind: Kind, subject: Hash, member: number) => void,
): void {
  const [address, domain, mailServer] = (['address', 'domain', 'mailServer'] as const).map((name) =>
    block.hash(place + word[name]),
  ) as [Hash, Hash, Hash];
  const has = (kind: Kind, subject: Hash, member: number): void => {
    if (isPresent(subject)) visit(kind, subject, member);
  };
  if (isPresent(domain)) has('mailServerDomains', mailServer, memberOf(domain));
  if (!isPresent(address)) return;
  has('decisions', address, block.get(place + word.decision));
  has('spellings', address, block.get(place + word.spelling));
  const member = memberOf(address);
  has('domain', domain, member);
  has('mailServer', mailServer, member);
  has('ip', block.hash(place + word.ip), member);
  has('network', block.hash(place + word.network), member);
}

/** Counts an observation of this bucket or an earlier one. */
export function addObservation(counts: TrafficCounts, block: ObservationBlock, place: number, now: number): void {
  const bucket = Math.min(block.get(place + word.bucket), now);
  eachCount(block, place, (kind, subject, member) => counts.add(keyOfKind(kind, subject), member, bucket, now));
}

/** The counts of an observation as if it was made now; 0 for those whose key is unknown. */
export type ObservedCounts = Readonly<Record<Kind, Readonly<WindowCounts>>>;

const observed = mapKinds((): WindowCounts => ({ hour: 0, day: 0 }));

/** Reads the counts of an observation made now, and adds it to them if it is `counted`. The next call overwrites the result. */
export function readObservation(
  counts: TrafficCounts,
  block: ObservationBlock,
  place: number,
  now: number,
  counted: boolean,
): ObservedCounts {
  const read = (kind: Kind, into: WindowCounts, subject: Hash, member: number): void => {
    if (!isPresent(subject)) {
      into.hour = 0;
      into.day = 0;
    } else if (counted) counts.count(keyOfKind(kind, subject), member, now, into);
    else counts.read(keyOfKind(kind, subject), member, now, into);
  };
  const address = block.hash(place + word.address);
  const domain = block.hash(place + word.domain);
  const mailServer = block.hash(place + word.mailServer);
  const member = memberOf(address);
  read('decisions', observed.decisions, address, block.get(place + word.decision));
  read('spellings', observed.spellings, address, block.get(place + word.spelling));
  read('domain', observed.domain, domain, member);
  read('mailServer', observed.mailServer, mailServer, member);
  read('mailServerDomains', observed.mailServerDomains, mailServer, memberOf(domain));
  read('ip', observed.ip, block.hash(place + word.ip), member);
  read('network', observed.network, block.hash(place + word.network), member);
  return observed;
}

/** Deletes the counts of an erased address, domain or IP address, and removes it from the counts of others. */
export function retractObservation(
  counts: TrafficCounts,
  block: ObservationBlock,
  place: number,
  what: Erasable,
  now: number,
): void {
  const own: Readonly<Record<Erasable, readonly Kind[]>> = {
    address: ['decisions', 'spellings'],
    domain: ['domain'],
    ip: ['ip'],
  };
  const erased = memberOf(block.hash(place + word[what]));
  eachCount(block, place, (kind, subject, member) => {
    if (own[what].includes(kind)) counts.remove(keyOfKind(kind, subject), null, now);
    else if (member === erased && what !== 'ip') counts.remove(keyOfKind(kind, subject), member, now);
  });
}

/** Removes what is erased from an observation. */
export function eraseFrom(block: ObservationBlock, place: number, what: Erasable): void {
  const zero = { hi: 0, lo: 0 };
  block.setHash(place + word[what], zero);
  if (what !== 'address') return;
  block.setHash(place + word.shape, zero);
  for (const name of ['spelling', 'decision', 'idEnd'] as const) block.set(place + word[name], 0);
}
