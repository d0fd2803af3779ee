import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextStage, StageTimes, serverTiming, stage } from './stage-times.ts';

const timed = (stages: StageTimes) => stages.all().map(({ name, ms }) => [name, ms]);

describe('stage times', () => {
  it('stage times begin with the queue: from the parsed head until the request is begun', () => {
    assert.deepEqual(timed(new StageTimes(100, 130)), [['queue', 30]]);
  });

  it('stage times count a stage that ends without waiting in the next one that is timed', () => {
    const stages = new StageTimes(0, 0);
    stages.enter(stage.meter);
    stages.enter(stage.work);
    stages.endWait(stage.answer, 7);
    stages.endWait(stage.answer, 9);
    assert.deepEqual(timed(stages), [
      ['queue', 0],
      ['work', 7],
      ['answer', 2],
    ]);
  });

  it('stage times add up to the total, also when a stage is entered twice', () => {
    const stages = new StageTimes(1, 2);
    for (const [next, atMs] of [
      [stage.meter, 4],
      [stage.work, 8],
      [stage.meter, 16],
      [stage.work, 32],
      [stage.answer, 64],
      [stage.answer, 128],
    ] as const) {
      stages.endWait(next, atMs);
    }
    assert.equal(stages.totalMs, 127);
    assert.equal(
      stages.all().reduce((sum, { ms }) => sum + ms, 0),
      127,
    );
    assert.deepEqual(new Set(stages.all().map(({ name }) => name)).size, stages.all().length);
  });

  it('stage times of a request that reports them include stages without waiting', () => {
    const stages = new StageTimes(0, 0);
    stages.report();
    stages.enter(stage.meter);
    assert.deepEqual(
      stages.all().map(({ name }) => name),
      ['queue', 'admit'],
    );
  });

  it('the Server-Timing header has every timed stage in milliseconds, and the total', () => {
    const stages = new StageTimes(0, 0.25);
    stages.enter(stage.facts);
    stages.endWait(stage.decide, 280.12345);
    assert.equal(serverTiming(stages), 'queue;dur=0.25, facts;dur=279.873, total;dur=280.123');
  });
});

describe('nextStage', () => {
  it('nextStage continues immediately with a value, without timing the stage', () => {
    const stages = new StageTimes(0, 0);
    assert.equal(
      nextStage(stages, stage.meter, 2, (value) => value + 1),
      3,
    );
    assert.deepEqual(timed(stages), [['queue', 0]]);
  });

  it('nextStage times the stage in which a request waited for a promise', async () => {
    const stages = new StageTimes(0, 0);
    assert.equal(await nextStage(stages, stage.meter, Promise.resolve(2), (value) => value + 1), 3);
    assert.deepEqual(
      stages.all().map(({ name }) => name),
      ['queue', 'admit'],
    );
  });
});
