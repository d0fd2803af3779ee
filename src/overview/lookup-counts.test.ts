import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AttachableOwner } from '../../test/attachable-owner.ts';
import { AppError } from '../errors.ts';
import { createLookupCounts, type HourOfLookups, type LookupCounts } from './lookup-counts.ts';
import type { WrittenHour } from './lookup-counts-store.ts';
import { createLookupRecorder } from './lookup-recorder.ts';

const owner = new AttachableOwner('account');
const of = (domain: string) => ({ domain, disposable: false, relay: false, takesMail: true });

function allOf(counts: LookupCounts): HourOfLookups[] {
  return counts.take(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0);
}

describe('counts of lookups', () => {
  it('the peak is the maximum number in one second', () => {
    let nowMs = 0;
    const counts = createLookupCounts(() => nowMs);
    for (const atMs of [0, 999, 1_000, 1_001, 1_002, 5_000]) {
      nowMs = atMs;
      counts.tick(owner);
    }
    assert.equal(allOf(counts)[0]?.peak, 3);
  });

  it('lookups and decisions of one second count towards the same peak', () => {
    const counts = createLookupCounts(() => 0);
    counts.tick(owner);
    counts.add(owner, of('a.example'));
    assert.equal(allOf(counts)[0]?.peak, 2);
  });

  it('takeOwner returns the counts of that owner only, and once', () => {
    let nowMs = 0;
    const counts = createLookupCounts(() => nowMs);
    const sameAccount = new AttachableOwner('account', 'staging');
    const lookUp = () => {
      for (const each of [owner, sameAccount]) counts.add(each, of('a.example'));
    };
    lookUp();
    nowMs = 3_600_000;
    lookUp();
    const taken = counts.takeOwner(owner);
    lookUp();
    const environments = (hours: readonly HourOfLookups[]) =>
      hours.map((hour) => [hour.owner.environment, hour.hourMs, hour.lookups]);
    assert.deepEqual(environments(taken), [
      ['production', 0, 1],
      ['production', 3_600_000, 1],
    ]);
    assert.deepEqual(environments(allOf(counts)), [
      ['staging', 0, 1],
      ['staging', 3_600_000, 2],
      ['production', 3_600_000, 1],
    ]);
  });

  it('many different domains take bounded memory, and frequent ones are kept', () => {
    const counts = createLookupCounts(() => 0);
    for (let index = 0; index < 20_000; index += 1) {
      counts.add(owner, of(`d${index}.example`));
      if (index % 10 === 0) counts.add(owner, of('often.example'));
    }
    const [hour] = allOf(counts);
    assert.ok((hour?.domains.size ?? 0) <= 1_000);
    assert.equal(hour?.domains.get('often.example')?.lookups, 2_000);
    assert.equal(hour?.lookups, 22_000);
  });

  it('keeps counts while storage is unavailable, writes them once, and drops those it rejects', async () => {
    const counts = createLookupCounts(() => 0);
    const written: WrittenHour[] = [];
    let failure: Error | null = new AppError('service_unavailable');
    const store = {
      async add(hours: readonly WrittenHour[]) {
        if (failure !== null) throw failure;
        written.push(...hours);
      },
    };
    const rejected: unknown[] = [];
    const onRejected = (owners: number, error: unknown) => void rejected.push([owners, String(error)]);
    counts.add(owner, of('a.example'));
    await assert.rejects(createLookupRecorder(counts, store, onRejected).buffer.flush());
    counts.add(owner, of('a.example'));
    failure = null;
    await createLookupRecorder(counts, store, onRejected).buffer.flush();
    await createLookupRecorder(counts, store, onRejected).buffer.flush();
    assert.deepEqual(
      written.map(({ lookups, topDomains }) => [lookups, topDomains]),
      [[2, [['a.example', 2]]]],
    );
    counts.add(owner, of('a.example'));
    failure = new Error('broken');
    await createLookupRecorder(counts, store, onRejected).buffer.flush();
    assert.deepEqual(rejected, [[1, 'Error: broken']]);
    assert.equal(counts.size(), 0);
  });

  it('counts lookups made during a flush once, in this flush or the next', async () => {
    const counts = createLookupCounts(() => 0);
    const owners = Array.from({ length: 700 }, (_, index) => new AttachableOwner(`account-${index}`));
    const lookups = [of('a.example'), of('b.example')];
    const lookUp = () => {
      for (const each of owners) for (const lookup of lookups) counts.add(each, lookup);
    };
    const written = new Map<string, number>();
    const store = {
      async add(hours: readonly WrittenHour[]) {
        if (written.size === 0) lookUp();
        for (const {
          owner: { accountId },
          lookups: count,
        } of hours) {
          written.set(accountId, (written.get(accountId) ?? 0) + count);
        }
      },
    };
    lookUp();
    const writing = createLookupRecorder(counts, store, assert.fail).buffer.flush();
    lookUp();
    await writing;
    await createLookupRecorder(counts, store, assert.fail).buffer.flush();
    assert.deepEqual(new Set(written.values()), new Set([6]));
    assert.equal(written.size, 700);
    assert.equal(counts.size(), 0);
  });

  it("flushOwner waits for the write in progress, which may hold the owner's counts", async () => {
    const counts = createLookupCounts(() => 0);
    const written: string[] = [];
    const begun = Promise.withResolvers<void>();
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
    const store = {
      async add(hours: readonly WrittenHour[]) {
        begun.resolve();
        await isOpen;
        for (const hour of hours) written.push(hour.owner.accountId);
      },
    };
    counts.add(owner, of('a.example'));
    const recorder = createLookupRecorder(counts, store, assert.fail);
    const writing = recorder.buffer.flush();
    await begun.promise;
    const seen = recorder.flushOwner(owner).then(() => [...written]);
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    open();
    assert.deepEqual(await seen, [owner.accountId]);
    await writing;
  });

  it('writes many owners together, and owners with many domains a few at a time', async () => {
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
      await createLookupRecorder(counts, store, assert.fail).buffer.flush();
    }
    assert.deepEqual(slices, [...Array<number>(4).fill(150), ...Array<number>(100).fill(6)]);
  });
});
