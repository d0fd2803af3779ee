import { parseIp } from '../src/address/ip.ts';
import { createKeyedHash } from '../src/traffic/keyed-hash.ts';
import { ObservationBlock } from '../src/traffic/observation-block.ts';
import { createSubjectHashes } from '../src/traffic/subject-hashes.ts';
import { createTraffic, type Visit } from '../src/traffic/traffic.ts';
import { createTrafficCounts } from '../src/traffic/traffic-counts.ts';
import { bucketMs, dayBuckets } from '../src/traffic/windows.ts';
import { AttachableOwner } from '../test/attachable-owner.ts';

/** Memory and error of traffic counts, their cost with few and with millions of keys, and the longest rebuild of a partition. */

const limitBytes = 1_000_000_000;
const startMs = Date.UTC(2026, 10, 17);
const now = startMs / bucketMs;

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

function measureSets(): void {
  const hash = createKeyedHash(new Uint8Array(8));
  for (const [members, keys] of [
    [1, 3_000_000],
    [10, 300_000],
    [100, 30_000],
    [10_000, 20],
    [1_000_000, 1],
  ] as const) {
    const counts = createTrafficCounts(limitBytes);
    const all = Array.from({ length: members }, (_, index) => hash(`member ${index}`).lo || 1);
    for (let key = 0; key < keys; key += 1) for (const member of all) counts.add(hash(`key ${key}`), member, now, now);
    const into = { hour: 0, day: 0 };
    counts.read(hash('key 0'), all[0] as number, now, into);
    const { tableBytes, largeBytes } = counts.status();
    const bytes = Math.round((largeBytes > 0 ? largeBytes : tableBytes) / keys);
    console.log(`${members} distinct members: ${bytes} bytes per key, count ${into.day}`);
  }
}

const owner = new AttachableOwner('account');

function visitOf(index: number): Visit {
  const address = `user-${index}@seen-${index}.com`;
  const ip = `${1 + (index % 223)}.${(index >> 8) & 255}.${(index >> 16) & 255}.${index & 255}`;
  return {
    owner,
    address,
    spelling: address,
    domain: `seen-${index}.com`,
    mailServer: `mail-${index}.com`,
    ip: parseIp(ip),
    traits: 0,
    shape: 'aaaa-9999',
  };
}

/** A million decisions that have nothing in common, and what one more costs before and after. */
function measureDay(): void {
  const counts = createTrafficCounts(limitBytes);
  const hashes = createSubjectHashes('a secret');
  let block = new ObservationBlock();
  const openBlock = (): ObservationBlock => {
    if (block.length === 5_000) block = new ObservationBlock();
    return block;
  };
  const { count } = createTraffic({ counts, hashes, now: () => startMs, openBlock });
  const costOf = (from: number): number => {
    const visits = Array.from({ length: 20_000 }, (_, index) => visitOf(from + index));
    const startedMs = cpuMs();
    for (const visit of visits) count(visit, 0);
    return ((cpuMs() - startedMs) * 1_000) / visits.length;
  };
  // The first ones run code that is not optimised yet.
  costOf(0);
  const before = [costOf(0), costOf(0), costOf(0)];
  for (let index = 20_000; index < 1_000_000; index += 1) count(visitOf(index), 0);
  const after = [costOf(0), costOf(0), costOf(0)];
  const text = (costs: number[]): string => `${Math.min(...costs).toFixed(2)} µs`;
  const { keys, tableBytes } = counts.status();
  console.log(`a million decisions: ${keys} keys in ${(tableBytes / 1_000_000).toFixed(1)} MB`);
  console.log(`a decision beside 20,000 others: ${text(before)}, beside a million: ${text(after)}`);
  let longest = 0;
  for (const bucket of [now, now + dayBuckets + 1]) {
    for (let step = 0; step < 1_024; step += 1) {
      const startedMs = cpuMs();
      counts.expireSome(bucket);
      longest = Math.max(longest, cpuMs() - startedMs);
    }
  }
  console.log(
    `longest rebuild of a partition: ${longest.toFixed(2)} ms; keys left after a day: ${counts.status().keys}`,
  );
}

measureSets();
measureDay();
