import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { createScheduler, idle, type Job, type JobLeases } from './jobs.ts';

function start(t: TestContext, leases?: JobLeases) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const events: string[] = [];
  let nowMs = 0;
  const scheduler = createScheduler({
    now: () => nowMs,
    monotonicMs: () => nowMs,
    ...(leases && { leases }),
    onRun: ({ name }, durationMs) => events.push(`${name} ${durationMs}`),
    onFailure: ({ failure }, error) => events.push(`${failure}: ${String(error)}`),
  });
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms;
    t.mock.timers.tick(ms);
    await nextTick();
  };
  return { scheduler, events, pass };
}

const job = (overrides: Partial<Job> = {}): Job => ({
  name: 'sweep',
  everyMs: 100,
  failure: 'not swept yet',
  async run() {},
  ...overrides,
});

describe('createScheduler', () => {
  it('runs a job after its first delay, then again after each pause', async (t) => {
    const { scheduler, pass } = start(t);
    let runs = 0;
    const sweep = job({
      firstMs: 10,
      async run() {
        runs += 1;
      },
    });
    scheduler.start([sweep]);
    await pass(9);
    assert.equal(runs, 0);
    await pass(1);
    assert.equal(runs, 1);
    await pass(99);
    assert.equal(runs, 1);
    await pass(1);
    assert.equal(runs, 2);
  });

  it('starts no second run while one is in progress', async (t) => {
    const { scheduler, pass } = start(t);
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    scheduler.start([
      job({
        run() {
          runs += 1;
          return promise;
        },
      }),
    ]);
    await pass(100);
    await pass(500);
    assert.equal(runs, 1);
    resolve();
    await nextTick();
    await pass(100);
    assert.equal(runs, 2);
  });

  it('reports a failed run, runs the job again, and shows both in its status', async (t) => {
    const { scheduler, events, pass } = start(t);
    let isBroken = true;
    scheduler.start([
      job({
        async run() {
          if (isBroken) throw new Error('disk full');
        },
      }),
    ]);
    await pass(100);
    assert.deepEqual(events, ['not swept yet: Error: disk full', 'sweep 0']);
    const failed = scheduler.status()[0];
    assert.deepEqual(
      [failed?.runs, failed?.failures, failed?.failuresInARow, failed?.lastSuccessAtMs, failed?.lastError],
      [1, 1, 1, null, 'disk full'],
    );
    isBroken = false;
    await pass(100);
    const status = scheduler.status()[0];
    assert.deepEqual(
      [status?.runs, status?.failures, status?.failuresInARow, status?.lastSuccessAtMs, status?.lastError],
      [2, 1, 0, 200, null],
    );
  });

  it('stop aborts the run in progress, waits for it, and starts no other', async (t) => {
    const { scheduler, events, pass } = start(t);
    let ended = 0;
    let runs = 0;
    const sweep = job({
      async run(signal) {
        runs += 1;
        await new Promise<void>((done) => signal.addEventListener('abort', () => done()));
        ended += 1;
        throw new Error('aborted');
      },
    });
    scheduler.start([sweep]);
    await pass(100);
    await scheduler.stop([sweep]);
    assert.equal(ended, 1);
    await pass(1_000);
    assert.deepEqual([runs, events], [1, []]);
  });

  it('runs a leased job only in the process that holds the lease, extends it, and releases it at the stop', async (t) => {
    const events: string[] = [];
    let isHeldElsewhere = true;
    const leases: JobLeases = {
      async acquire(name, forMs) {
        if (!isHeldElsewhere) events.push(`acquire ${name} ${forMs}`);
        return !isHeldElsewhere;
      },
      release: async (name) => void events.push(`release ${name}`),
    };
    const { scheduler, pass } = start(t, leases);
    const sweep = job({
      lease: { forMs: 1_000 },
      async run() {
        events.push('run');
      },
    });
    scheduler.start([sweep]);
    await pass(100);
    assert.deepEqual([events, scheduler.status()[0]?.runs, scheduler.status()[0]?.runsElsewhere], [[], 0, true]);
    isHeldElsewhere = false;
    await pass(100);
    await pass(100);
    assert.deepEqual(events, ['acquire sweep 1000', 'run', 'acquire sweep 1000', 'run']);
    await scheduler.stop([sweep]);
    assert.equal(events.at(-1), 'release sweep');
  });

  it('a stop releases no lease that another process holds', async (t) => {
    const { scheduler, pass } = start(t, { acquire: async () => false, release: assert.fail });
    const sweep = job({ lease: { forMs: 1_000 } });
    scheduler.start([sweep]);
    await pass(100);
    await scheduler.stop([sweep]);
  });

  it('rejects two jobs with the same name', (t) => {
    const { scheduler } = start(t);
    assert.throws(() => scheduler.start([job(), job()]), /Two jobs are named sweep/);
  });

  it('runs a job within a minute of the start, also one that runs once a day', async (t) => {
    const { scheduler, events, pass } = start(t);
    scheduler.start(Array.from({ length: 60 }, (_, index) => job({ name: `prune-${index}`, everyMs: 86_400_000 })));
    await pass(60_000);
    assert.equal(events.length, 60);
  });

  it('rejects a job whose lease is shorter than the pause between its runs', (t) => {
    const { scheduler } = start(t);
    const purge = job({ name: 'purge', everyMs: 3_600_000, lease: { forMs: 1_200_000 } });
    assert.throws(() => scheduler.start([purge]), /The lease of the job purge must be longer/);
    const even = job({ name: 'even', everyMs: 1_000, lease: { forMs: 1_000 } });
    assert.throws(() => scheduler.start([even]), /The lease of the job even must be longer/);
    const seal = job({ name: 'seal', everyMs: 1_000, idleMs: 20_000, lease: { forMs: 10_000 } });
    assert.throws(() => scheduler.start([seal]), /The lease of the job seal must be longer/);
    scheduler.start([job({ lease: { forMs: 101 } })]);
  });

  it('waits longer after a run that had nothing to do', async (t) => {
    const { scheduler, events, pass } = start(t);
    let work = 0;
    const run = async () => {
      if (work === 0) return idle;
      work -= 1;
      return undefined;
    };
    scheduler.start([job({ idleMs: 1_000, run })]);
    await pass(100);
    await pass(900);
    assert.equal(events.length, 1);
    work = 1;
    await pass(100);
    await pass(100);
    assert.equal(events.length, 3);
  });

  it('runs a job when its topic changes, after a rest, and again when it changes during the run', async (t) => {
    const { scheduler, events, pass } = start(t);
    let release = () => {};
    const reading = job({
      name: 'read',
      everyMs: 60_000,
      wakesOn: { topic: 'traffic', restMs: 50 },
      run: () =>
        new Promise<void>((done) => {
          release = done;
        }),
    });
    scheduler.start([reading]);
    scheduler.wake('other');
    await pass(1_000);
    scheduler.wake('traffic');
    await pass(0);
    scheduler.wake('traffic');
    release();
    await pass(0);
    assert.deepEqual(events, ['read 0']);
    await pass(49);
    await pass(1);
    release();
    await pass(0);
    assert.deepEqual(events, ['read 0', 'read 0']);
    await pass(1_000);
    assert.equal(events.length, 2);
  });
});
