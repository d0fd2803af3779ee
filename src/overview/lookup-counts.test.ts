import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../errors.ts';
import { createLookupCounts } from './lookup-counts.ts';
import type { WrittenHour } from './lookup-counts-store.ts';
import { writeLookupCounts } from './lookup-recorder.ts';

const owner = { accountId: 'account', environment: 'production' } as const;
const of = (domain: string) => ({ domain, disposable: false, relay: false, takesMail: true });

describe('counts of lookups', () => {
  it('the peak is the most of one second', () => {
    let nowMs = 0;
    const counts = createLookupCounts(() => nowMs);
    for (const atMs of [0, 999, 1_000, 1_001, 1_002, 5_000]) {
      nowMs = atMs;
      counts.tick(owner);
    }
    assert.equal(counts.take()[0]?.peak, 3);
  });

  it('a flood of different domains takes a bounded room, and what is asked often stays', () => {
    const counts = createLookupCounts(() => 0);
    for (let index = 0; index < 20_000; index += 1) {
      counts.add(owner, of(`d${index}.example`));
      if (index % 10 === 0) counts.add(owner, of('often.example'));
    }
    const [hour] = counts.take();
    assert.ok((hour?.domains.size ?? 0) <= 1_000);
    assert.equal(hour?.domains.get('often.example'), 2_000);
    assert.equal(hour?.lookups, 22_000);
  });

  it('what the storage does not take now is written later, once; what it refuses for good is let go', async () => {
    const counts = createLookupCounts(() => 0);
    const written: WrittenHour[] = [];
    let failure: Error | null = new AppError('service_unavailable');
    const store = {
      async add(hours: readonly WrittenHour[]) {
        if (failure !== null) throw failure;
        written.push(...hours);
      },
    };
    counts.add(owner, of('a.example'));
    await assert.rejects(writeLookupCounts(counts, store));
    counts.add(owner, of('a.example'));
    failure = null;
    await writeLookupCounts(counts, store);
    await writeLookupCounts(counts, store);
    assert.deepEqual(
      written.map(({ lookups, topDomains }) => [lookups, topDomains]),
      [[2, [['a.example', 2]]]],
    );
    counts.add(owner, of('a.example'));
    failure = new Error('broken');
    await assert.rejects(writeLookupCounts(counts, store), /broken/);
    assert.equal(counts.size(), 0);
  });

  it('many owners are written together, and those with many domains a few at a time', async () => {
    const slices: number[] = [];
    const store = {
      async add(hours: readonly WrittenHour[]) {
        slices.push(hours.length);
      },
    };
    for (const domainsOfEach of [1, 100]) {
      const counts = createLookupCounts(() => 0);
      for (let index = 0; index < 600; index += 1) {
        const account = { accountId: `account-${index}`, environment: 'production' } as const;
        for (let domain = 0; domain < domainsOfEach; domain += 1) counts.add(account, of(`d${domain}.example`));
      }
      await writeLookupCounts(counts, store);
    }
    assert.deepEqual(slices, [...Array<number>(6).fill(100), ...Array<number>(150).fill(4)]);
  });
});
