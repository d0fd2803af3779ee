import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../test/eventually.ts';
import { signalsFromFields } from '../../../test/gates/signals-from-fields.ts';
import { AppError } from '../../errors.ts';
import type { Evaluation } from '../rules/evaluate.ts';
import type { Rule } from '../rules/rule.ts';
import { createEntryBatches } from '../segments/entry-batch.ts';
import type { Decision } from './decision.ts';
import type { HourCounts } from './decision-counts.ts';
import { createDecisionRecorder, type RecorderOptions } from './decision-recorder.ts';
import { type EntryBatch, fullBatch, type LoggedRow } from './decisions-store.ts';

const nothing: Evaluation<Rule> = { action: 'allow', matchedRule: null, matched: [], shadowMatched: [] };
const decision = (number: number): Decision => ({
  id: `decision ${number}`,
  gateId: 'gate',
  requestId: 'request',
  version: '1',
  revision: 1,
  createdAtMs: 7_200_000,
  durationMs: 1,
  input: { domain: 'example.com' },
  action: 'allow',
  matchedRule: null,
  signals: signalsFromFields({}),
});
const toRow = ({ id, gateId, action }: Decision): LoggedRow => ({
  id,
  gateId,
  action,
  ruleId: null,
  emailKey: null,
  domain: 'example.com',
  ip: null,
  entry: '{}',
});

/** A storage in memory that can be made to fail. */
function recorderOver(options: Partial<RecorderOptions> = {}) {
  const written: string[] = [];
  const batches: number[] = [];
  const dropped: [number, unknown][] = [];
  let counted = 0;
  let failure: Error | null = null;
  const write = async (batch: EntryBatch, counts: readonly HourCounts[]) => {
    await Promise.resolve();
    if (failure !== null) throw failure;
    batches.push(batch.length);
    written.push(...batch.rows().map(({ id }) => id));
    counted += counts.reduce((sum, hour) => sum + hour.allow, 0);
  };
  const recorder = createDecisionRecorder({
    store: { openBatch: createEntryBatches(), write },
    toRow,
    onDropped: (entries, error) => dropped.push([entries, error]),
    ...options,
  });
  return {
    ...recorder,
    written,
    batches,
    dropped,
    counted: () => counted,
    waiting: () => recorder.waiting,
    fail(error: Error | null) {
      failure = error;
    },
    recordMany(from: number, to: number) {
      for (let number = from; number < to; number += 1) recorder.record(decision(number), nothing);
    },
  };
}

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `decision ${from + index}`);
const away = new AppError('service_unavailable');

describe('the recorder of decisions', () => {
  it('the recorder of decisions writes in batches, in order, and nothing twice', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, 2_200);
    await recorder.flush();
    await recorder.flush();
    assert.deepEqual(recorder.written, ids(0, 2_200));
    assert.deepEqual(recorder.batches, [fullBatch, fullBatch, 2_200 - 2 * fullBatch]);
    assert.equal(recorder.counted(), 2_200);
  });

  it('the recorder of decisions writes by itself as soon as there are enough for a batch', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, fullBatch + 1);
    await until(() => recorder.waiting() === 1);
    await recorder.flush();
    assert.deepEqual(recorder.batches, [fullBatch, 1]);
    assert.deepEqual(recorder.written, ids(0, fullBatch + 1));
  });

  it('the recorder of decisions loses nothing when what it wrote by itself failed', async () => {
    const recorder = recorderOver();
    recorder.fail(away);
    recorder.recordMany(0, 2_700);
    await assert.rejects(recorder.flush(), away);
    recorder.fail(null);
    await recorder.flush();
    assert.deepEqual(recorder.written, ids(0, 2_700));
    assert.equal(recorder.counted(), 2_700);
  });

  it('the recorder of decisions tries a batch that failed again as it was, though more came meanwhile', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, 10);
    recorder.fail(away);
    await assert.rejects(recorder.flush(), away);
    recorder.recordMany(10, 30);
    recorder.fail(null);
    await recorder.flush();
    assert.deepEqual(recorder.batches, [10, 20]);
  });

  it('the recorder of decisions leaves what came since a full batch for the look after the next', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, fullBatch + 10);
    await until(() => recorder.waiting() === 10);
    await recorder.flushOld();
    assert.deepEqual(recorder.batches, [fullBatch]);
    await recorder.flushOld();
    assert.deepEqual(recorder.batches, [fullBatch, 10]);
  });

  it('the recorder of decisions leaves what came since a look that wrote for the look after the next', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, 10);
    await recorder.flushOld();
    recorder.recordMany(10, 20);
    await recorder.flushOld();
    recorder.recordMany(20, 30);
    assert.deepEqual(recorder.batches, [10]);
    await recorder.flushOld();
    assert.deepEqual(recorder.batches, [10, 20]);
  });

  it('the recorder of decisions keeps everything while the storage is away, and writes it when it is back', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, 10);
    recorder.fail(away);
    await assert.rejects(recorder.flush(), away);
    recorder.recordMany(10, 20);
    await assert.rejects(recorder.flush(), away);
    recorder.fail(null);
    await recorder.flush();
    assert.deepEqual(recorder.written, ids(0, 20));
    assert.equal(recorder.counted(), 20);
    assert.deepEqual(recorder.dropped, []);
  });

  it('the recorder of decisions is bounded: what does not fit is counted as dropped, and still counted as decided [Q31]', async () => {
    const recorder = recorderOver({ maxWaiting: 10 });
    recorder.recordMany(0, 25);
    assert.equal(recorder.waiting(), 10);
    await recorder.flush();
    assert.deepEqual(recorder.written, ids(0, 10));
    assert.deepEqual(recorder.dropped, [[15, null]]);
    assert.equal(recorder.counted(), 25);
  });

  it('the recorder of decisions stays bounded when a failed batch is put back', async () => {
    const recorder = recorderOver({ maxWaiting: 10 });
    recorder.recordMany(0, 10);
    recorder.fail(away);
    const flushing = recorder.flush();
    recorder.recordMany(10, 20);
    await assert.rejects(flushing, away);
    assert.equal(recorder.waiting(), 10);
    recorder.fail(null);
    await recorder.flush();
    assert.deepEqual(recorder.written, ids(0, 10));
    assert.deepEqual(recorder.dropped, [[10, null]]);
    assert.equal(recorder.counted(), 20);
  });

  it('the recorder of decisions gives up entries that fail for a reason other than a storage that is away', async () => {
    const recorder = recorderOver();
    const broken = new Error('wrong statement');
    recorder.recordMany(0, 3);
    recorder.fail(broken);
    await recorder.flush();
    recorder.fail(null);
    recorder.recordMany(3, 5);
    await recorder.flush();
    assert.deepEqual(recorder.written, ids(3, 5));
    assert.deepEqual(recorder.dropped, [[3, broken]]);
  });

  it('the recorder of decisions also writes, when it settles, what was recorded while a flush was under way', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, 1);
    const flushing = recorder.flush();
    recorder.recordMany(1, 2);
    await recorder.settle();
    assert.deepEqual(recorder.written, ids(0, 2));
    await flushing;
  });

  it('the recorder of decisions keeps what it cannot write, and does not wait for it, when it settles while the storage is away', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, 1);
    recorder.fail(away);
    await recorder.settle();
    assert.equal(recorder.waiting(), 1);
  });

  it('the recorder of decisions counts decisions and logs nothing when the log is off', async () => {
    const recorder = recorderOver({ toRow: null, maxWaiting: 1 });
    recorder.recordMany(0, 5);
    await recorder.flush();
    assert.deepEqual([recorder.written, recorder.dropped, recorder.counted()], [[], [], 5]);
  });
});
