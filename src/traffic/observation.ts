import type { Hash } from './keyed-hash.ts';
import { type ObservationBlock, word } from './observation-block.ts';
import type { TrafficCounts } from './traffic-counts.ts';
import type { WindowCounts } from './windows.ts';

/** Bits of an observation's `traits`: the traits of its domain. `fresh`: the environment first saw it today or yesterday. */
export const trait = { public: 1, established: 2, relay: 4, fresh: 8 } as const;

/** Actions by their numbers in observations; the first is unknown. */
export const actions = ['', 'allow', 'block', 'challenge'] as const;

/** The subjects that can be erased from counts. */
export const erasable = ['address', 'domain', 'ip', 'device'] as const;
export type Erasable = (typeof erasable)[number];

/**
 * The counts: distinct members of a subject. Each count has its own keys. The keys of one subject carry the bits of its owner and are
 * adjacent in one partition, because their numbers change only bits that no position depends on.
 */
const counted = [
  { name: 'decisions', number: 1, subject: word.address, member: word.decision },
  { name: 'spellings', number: 2, subject: word.address, member: word.spelling },
  { name: 'domain', number: 3, subject: word.domain, member: word.address },
  { name: 'mailServer', number: 4, subject: word.mailServer, member: word.address },
  { name: 'mailServerDomains', number: 5, subject: word.mailServer, member: word.domain },
  { name: 'ip', number: 6, subject: word.ip, member: word.address },
  { name: 'network', number: 7, subject: word.network, member: word.address },
  { name: 'device', number: 8, subject: word.device, member: word.address },
] as const;
export type CountName = (typeof counted)[number]['name'];
type Counted = (typeof counted)[number];

/** A key or member is in use unless its hash is absent. */
export const isPresent = ({ hi, lo }: Hash): boolean => hi !== 0 || lo !== 0;

/** The member that a hash is in the sets of others. */
export const memberOf = ({ hi }: Hash): number => (hi === 0 ? 1 : hi);

/** The key of a count, overwritten by the next call: a decision has eight. */
const key = { hi: 0, lo: 0 };

/** Whether an observation has a subject and a member for a count; `key` is the subject's then. */
function hasKey(block: ObservationBlock, place: number, { number, subject, member }: Counted): boolean {
  const hi = block.get(place + subject);
  const lo = block.get(place + subject + 1);
  if ((hi === 0 && lo === 0) || block.get(place + member) === 0) return false;
  key.hi = hi ^ number;
  key.lo = lo;
  return true;
}

/** Counts an observation from this bucket or an earlier one. */
export function addObservation(counts: TrafficCounts, block: ObservationBlock, place: number, now: number): void {
  const bucket = Math.min(block.get(place + word.bucket), now);
  for (const count of counted)
    if (hasKey(block, place, count)) counts.add(key, block.get(place + count.member), bucket, now);
}

/** The counts of an observation as if it was made now; 0 where the key is unknown. */
export type ObservedCounts = Readonly<Record<CountName, Readonly<WindowCounts>>>;

/** Each count with the object that receives its result, so that no name is looked up for each observation. */
const results = counted.map((count) => ({ count, into: { hour: 0, day: 0 } }));
const observed = Object.fromEntries(results.map(({ count, into }) => [count.name, into])) as Record<
  CountName,
  WindowCounts
>;

/** Reads the counts of an observation made now, and adds it to them if it is `counted`. The next call overwrites the result. */
export function readObservation(
  counts: TrafficCounts,
  block: ObservationBlock,
  place: number,
  now: number,
  isCounted: boolean,
): ObservedCounts {
  for (const { count, into } of results) {
    if (!hasKey(block, place, count)) {
      into.hour = 0;
      into.day = 0;
    } else if (isCounted) counts.count(key, block.get(place + count.member), now, into);
    else counts.read(key, block.get(place + count.member), now, into);
  }
  return observed;
}

/** Deletes the counts of an erased subject, and removes it from the counts of others. */
export function retractObservation(
  counts: TrafficCounts,
  block: ObservationBlock,
  place: number,
  what: Erasable,
  now: number,
): void {
  for (const count of counted) {
    if (!hasKey(block, place, count)) continue;
    if (count.subject === word[what]) counts.remove(key, null, now);
    else if (count.member === word[what]) counts.remove(key, block.get(place + count.member), now);
  }
}

/** Clears erased values in an observation. */
export function eraseFrom(block: ObservationBlock, place: number, what: Erasable): void {
  const zero = { hi: 0, lo: 0 };
  block.setHash(place + word[what], zero);
  if (what !== 'address') return;
  block.setHash(place + word.shape, zero);
  for (const name of ['spelling', 'decision', 'idEnd'] as const) block.set(place + word[name], 0);
}
