import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Owner } from '../http/endpoint.ts';
import { createKeyedHash, type Hash } from './keyed-hash.ts';
import { createSubjectHashes } from './subject-hashes.ts';
import { createTrafficCounts } from './traffic-counts.ts';
import { bucketOf, dayBuckets, hourBuckets } from './windows.ts';

const megabyte = 1_000_000;
const hash = createKeyedHash(new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7]));
const today = 5_900_000;

const hashes = createSubjectHashes('a secret');
const small: Owner = { accountId: 'small', environment: 'production' };
const flooding: Owner = { accountId: 'flooding', environment: 'production' };
const owned = (owner: Owner, text: string): Hash => hashes.of(hashes.ofOwner(owner), text);

const countsOf = (counts: ReturnType<typeof createTrafficCounts>, key: Hash, member: number, now: number) => {
  const into = { hour: 0, day: 0 };
  counts.read(key, member, now, into);
  return into;
};

describe('the keyed hash', () => {
  it('computes the published vectors of HalfSipHash-2-4 with 64 bits of output', () => {
    // Of the authors' reference implementation: key 00…07, input 00, 01, 02 …, two bytes for each code unit.
    const vectors = { 0: 'c83cb8b9591f8d21', 2: '57eb507cef394f06', 4: 'a12ee55b178ae7d5', 8: '8c85e4bc20e8feed' };
    for (const [length, expected] of Object.entries(vectors)) {
      const units = Array.from({ length: Number(length) / 2 }, (_, index) => index * 2 + ((index * 2 + 1) << 8));
      const { hi, lo } = hash(String.fromCharCode(...units));
      assert.equal([hi, lo].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join(''), expected);
    }
  });
});

describe('traffic counts', () => {
  it('count as a list of every event does, across expiry, removal and the sizes of sets', () => {
    const event = fc.record({
      key: fc.integer({ min: 0, max: 3 }),
      member: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 400 })),
      later: fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 40 }), fc.constant(700)),
      removes: fc.oneof({ weight: 40, arbitrary: fc.constant(false) }, fc.constant(true)),
    });
    fc.assert(
      fc.property(fc.array(event, { minLength: 300, maxLength: 1_500 }), (events) => {
        const counts = createTrafficCounts(10 * megabyte);
        const model = new Map<number, Map<number, number>>();
        let now = today;
        for (const { key, member, later, removes } of events) {
          now += later;
          const members = model.get(key) ?? new Map<number, number>();
          model.set(key, members);
          const name = hash(`${key}`);
          const others = [...members].filter(([other]) => other !== member);
          const since = (buckets: number) => 1 + others.filter(([, seen]) => seen >= now - buckets).length;
          assert.deepEqual(countsOf(counts, name, member, now), { hour: since(hourBuckets), day: since(dayBuckets) });
          if (removes) {
            members.delete(member);
            counts.remove(name, member, now);
          } else {
            members.set(member, now);
            counts.add(name, member, now, now);
          }
        }
      }),
      { numRuns: 25, seed: 31 },
    );
  });

  it('are of windows that are never too short, and at most five minutes too long [D402]', () => {
    const key = hash('example.com');
    for (const [window, lengthMs] of [
      ['hour', 3_600_000],
      ['day', 86_400_000],
    ] as const) {
      // The first and the last moment of a bucket.
      for (const seenMs of [today * 300_000, today * 300_000 + 299_999]) {
        const counts = createTrafficCounts(megabyte);
        counts.add(key, 1, bucketOf(seenMs), bucketOf(seenMs));
        const countAfter = (ms: number) => countsOf(counts, key, 2, bucketOf(seenMs + ms))[window];
        assert.deepEqual([countAfter(lengthMs - 1), countAfter(lengthMs + 300_000)], [2, 1], window);
      }
    }
  });

  it('are exact up to 10,000 members and 10,000 beyond, whichever window they are in [D403]', () => {
    const counts = createTrafficCounts(10 * megabyte);
    const key = hash('example.com');
    const members = Array.from({ length: 30_000 }, (_, index) => hash(`member ${index}`).lo);
    const [first = 0] = members;
    for (const member of members.slice(0, 9_999)) counts.add(key, member, today, today);
    assert.deepEqual(countsOf(counts, key, first, today), { hour: 9_999, day: 9_999 });
    for (const member of members.slice(9_999)) counts.add(key, member, today + 20, today + 20);
    assert.deepEqual(countsOf(counts, key, members.at(-1) ?? 0, today + 20), { hour: 10_000, day: 10_000 });
    const later = today + 100;
    for (const member of members.slice(0, 150)) counts.add(key, member, later, later);
    assert.deepEqual(countsOf(counts, key, first, later), { hour: 150, day: 10_000 });
    assert.deepEqual(countsOf(counts, key, first, today + 21 + dayBuckets), { hour: 1, day: 150 });
    assert.ok(counts.status().largeBytes < 150_000);
  });

  it('take at most 14 bytes for a key with one member when a quarter of the limit is used', () => {
    const counts = createTrafficCounts(3 * megabyte);
    for (let key = 0; key < 100_000; key += 1) counts.add(hash(`key ${key}`), key + 1, today, today);
    const { keys, tableBytes } = counts.status();
    assert.equal(keys, 100_000);
    assert.ok(tableBytes / keys < 14, `${tableBytes / keys} bytes`);
  });

  it('stay within their limit, evict single keys of long ago first, and count evictions [D416]', () => {
    const counts = createTrafficCounts(2 * megabyte);
    const key = owned(flooding, 'attacked.example');
    for (let member = 1; member <= 300; member += 1) counts.add(key, member, today, today);
    for (let other = 0; other < 200_000; other += 1) {
      counts.add(owned(flooding, `other ${other}`), 1, today + 1, today + 1);
    }
    const { tableBytes, largeBytes, evicted, keys } = counts.status();
    assert.ok(tableBytes + largeBytes <= 2 * megabyte);
    assert.equal(evicted + keys, 200_001);
    assert.deepEqual(countsOf(counts, key, 1, today + 1), { hour: 300, day: 300 });
  });

  it('stay within their limit with many large sets', () => {
    const counts = createTrafficCounts(megabyte);
    for (let key = 0; key < 100; key += 1) {
      const name = hash(`${key}`);
      for (let member = 0; member < 1_000; member += 1) counts.add(name, hash(`${member}`).lo, today, today);
    }
    const { tableBytes, largeBytes, evicted } = counts.status();
    assert.ok(tableBytes + largeBytes <= megabyte, `${tableBytes} + ${largeBytes} bytes`);
    assert.ok(evicted > 0);
  });

  it('evict keys of the account with most: a flood of one evicts no other', () => {
    const counts = createTrafficCounts(2 * megabyte);
    const singles = Array.from({ length: 300 }, (_, index) => owned(small, `single ${index}`));
    const large = owned(small, 'large');
    for (const key of singles) counts.add(key, 7, today, today);
    for (let member = 1; member <= 300; member += 1) counts.add(large, member, today, today);
    for (let key = 0; key < 120_000; key += 1) counts.add(owned(flooding, `${key}`), 1, today + 1, today + 1);
    for (let set = 0; set < 250; set += 1) {
      for (let member = 1; member <= 200; member += 1)
        counts.add(owned(flooding, `large ${set}`), member, today, today);
    }
    const { tableBytes, largeBytes, evicted } = counts.status();
    assert.ok(tableBytes + largeBytes <= 2 * megabyte, `${tableBytes} + ${largeBytes} bytes`);
    assert.ok(evicted > 20_000);
    assert.equal(countsOf(counts, large, 1, today + 1).day, 300);
    assert.deepEqual(new Set(singles.map((key) => countsOf(counts, key, 8, today + 1).day)), new Set([2]));
  });

  it('drop expired keys one partition after the other', () => {
    const counts = createTrafficCounts(megabyte);
    for (let key = 0; key < 5_000; key += 1) counts.add(hash(`${key}`), 1, today, today);
    const { tableBytes } = counts.status();
    const tomorrow = today + dayBuckets + 1;
    for (let step = 0; step < 1_024; step += 1) counts.expireSome(tomorrow);
    assert.equal(counts.status().keys, 0);
    assert.ok(counts.status().tableBytes < tableBytes);
  });
});
