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
  deviceKey: null,
  hookId: null,
  otherRuleIds: [],
  signals: signalsFromFields({}),
  showsTraffic: false,
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
    flush: recorder.buffer.flush,
    written,
    batches,
    dropped,
    counted: () => counted,
    pending: recorder.buffer.pending,
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

describe('the decision recorder', () => {
  it('writes decisions in batches, in order, and none twice', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, 2_200);
    await recorder.flush();
    await recorder.flush();
    assert.deepEqual(recorder.written, ids(0, 2_200));
    assert.deepEqual(recorder.batches, [fullBatch, fullBatch, 2_200 - 2 * fullBatch]);
    assert.equal(recorder.counted(), 2_200);
  });

  it('starts a flush when a batch is full', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, fullBatch + 1);
    await until(() => recorder.pending() === 1);
    await recorder.flush();
    assert.deepEqual(recorder.batches, [fullBatch, 1]);
    assert.deepEqual(recorder.written, ids(0, fullBatch + 1));
  });

  it('loses nothing when the flush of a full batch fails', async () => {
    const recorder = recorderOver();
    recorder.fail(away);
    recorder.recordMany(0, 2_700);
    await assert.rejects(recorder.flush(), away);
    recorder.fail(null);
    await recorder.flush();
    assert.deepEqual(recorder.written, ids(0, 2_700));
    assert.equal(recorder.counted(), 2_700);
  });

  it('retries a failed batch unchanged although more decisions were recorded since', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, 10);
    recorder.fail(away);
    await assert.rejects(recorder.flush(), away);
    recorder.recordMany(10, 30);
    recorder.fail(null);
    await recorder.flush();
    assert.deepEqual(recorder.batches, [10, 20]);
  });

  it('keeps every decision while storage is unavailable and writes it afterwards', async () => {
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

  it('drops log entries beyond its bound, reports them, and still counts the decisions [Q31]', async () => {
    const recorder = recorderOver({ maxPending: 10 });
    recorder.recordMany(0, 25);
    assert.equal(recorder.pending(), 10);
    await recorder.flush();
    assert.deepEqual(recorder.written, ids(0, 10));
    assert.deepEqual(recorder.dropped, [[15, null]]);
    assert.equal(recorder.counted(), 25);
  });

  it('stays bounded when a failed batch is put back', async () => {
    const recorder = recorderOver({ maxPending: 10 });
    recorder.recordMany(0, 10);
    recorder.fail(away);
    const flushing = recorder.flush();
    recorder.recordMany(10, 20);
    await assert.rejects(flushing, away);
    assert.equal(recorder.pending(), 10);
    recorder.fail(null);
    await recorder.flush();
    assert.deepEqual(recorder.written, ids(0, 10));
    assert.deepEqual(recorder.dropped, [[10, null]]);
    assert.equal(recorder.counted(), 20);
  });

  it('drops entries that storage rejects, and writes later ones', async () => {
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

  it('tryFlush also writes decisions recorded during a flush', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, 1);
    const flushing = recorder.flush();
    recorder.recordMany(1, 2);
    await recorder.tryFlush();
    assert.deepEqual(recorder.written, ids(0, 2));
    await flushing;
  });

  it('tryFlush resolves and keeps decisions while storage is unavailable', async () => {
    const recorder = recorderOver();
    recorder.recordMany(0, 1);
    recorder.fail(away);
    await recorder.tryFlush();
    assert.equal(recorder.pending(), 1);
  });

  it('counts decisions and logs nothing when the log is off', async () => {
    const recorder = recorderOver({ toRow: null, maxPending: 1 });
    recorder.recordMany(0, 5);
    await recorder.flush();
    assert.deepEqual([recorder.written, recorder.dropped, recorder.counted()], [[], [], 5]);
  });
});
