import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AttachableOwner } from '../../test/attachable-owner.ts';
import { AppError } from '../errors.ts';
import { createSeenBuffer } from './seen-recorder.ts';
import type { DaysRow } from './seen-store.ts';
import { createSightings, dayMs } from './sightings.ts';

const owner = new AttachableOwner('account');
const ignored = { add: async () => {} };
const limits = { pending: 100, known: 100, perDay: 100 };

describe('sightings', () => {
  it('a domain is written once a day for each environment, with what it was flagged as first', () => {
    const sightings = createSightings();
    sightings.note(owner, 'a.example', 0, 0);
    sightings.note(owner, 'a.example', 1, 0);
    sightings.note(new AttachableOwner('account', 'staging'), 'a.example', 4, 0);
    sightings.note(owner, 'a.example', 1, dayMs);
    assert.deepEqual(
      (sightings.pending.take(10) ?? []).map((one) => [one.owner.environment, one.day, one.flagged]),
      [
        ['production', 0, 0],
        ['staging', 0, 4],
        ['production', 1, 1],
      ],
    );
  });

  it('a domain is news the first time on a day, and when it is flagged as something more', () => {
    const sightings = createSightings();
    assert.deepEqual(
      [0, 0, 4, 4, 0, 5].map((flagged) => sightings.note(owner, 'a.example', flagged, 0)),
      [true, false, true, false, false, true],
    );
  });

  it('a flood of domains takes a bounded room: of memory, and of the disk each day', () => {
    const sightings = createSightings({ ...limits, known: 10, perDay: 50 });
    for (let index = 0; index < 1_000; index += 1) sightings.note(owner, `d${index}.example`, 0, 0);
    assert.deepEqual([sightings.pending.size(), sightings.size() <= 10], [50, true]);
    const away = createSightings({ ...limits, pending: 20 });
    for (let index = 0; index < 1_000; index += 1) away.note(owner, `d${index}.example`, 0, 0);
    assert.equal(away.pending.size(), 20);
  });

  it('keeps sightings while storage is unavailable and drops those it rejects', async () => {
    const sightings = createSightings();
    const written: string[] = [];
    let failure: Error | null = new AppError('service_unavailable');
    const store = {
      async add(rows: readonly DaysRow[]) {
        if (failure !== null) throw failure;
        written.push(...rows.map(({ name }) => name));
      },
    };
    const rejected: unknown[] = [];
    const buffer = createSeenBuffer(sightings, store, ignored, (domains, error) =>
      rejected.push([domains, String(error)]),
    );
    sightings.note(owner, 'a.example', 0, 0);
    await assert.rejects(buffer.flush());
    sightings.note(owner, 'mail.b.example', 0, 0);
    failure = null;
    await buffer.flush();
    assert.deepEqual(written, ['example.a', 'example.b.mail']);
    sightings.note(owner, 'c.example', 0, 0);
    failure = new Error('broken');
    await buffer.flush();
    assert.deepEqual(rejected, [[1, 'Error: broken']]);
    assert.equal(sightings.pending.size(), 0);
  });

  it('leaves domains seen during a flush for the next one', async () => {
    const sightings = createSightings();
    const batches: number[] = [];
    const store = {
      async add(rows: readonly DaysRow[]) {
        batches.push(rows.length);
        if (batches.length < 10) sightings.note(owner, `later-${batches.length}.example`, 0, 0);
      },
    };
    for (let index = 0; index < 450; index += 1) sightings.note(owner, `d${index}.example`, 0, 0);
    await createSeenBuffer(sightings, store, ignored, assert.fail).flush();
    assert.deepEqual(batches, [200, 200, 50]);
    assert.equal(sightings.pending.size(), 3);
  });
});
