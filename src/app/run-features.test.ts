import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import pino from 'pino';
import { describeEngines } from '../../test/engines.ts';
import { until } from '../../test/eventually.ts';
import { readConfig } from '../config.ts';
import { type DatabaseOptions, openDatabase } from '../db/db.ts';
import { AppError } from '../errors.ts';
import type { Feature, Shared } from '../feature.ts';
import { createPendingQueue } from '../platform/pending-entries.ts';
import { createWriteBehind } from '../platform/write-behind.ts';
import { createMetrics } from './metrics.ts';
import { runFeatures } from './run-features.ts';

await describeEngines('runFeatures', (fresh) => {
  const start = async (t: TestContext, database: DatabaseOptions) => {
    const db = await openDatabase(database);
    t.after(() => db.close());
    const lines: { readonly msg: string; readonly job?: string; readonly lost?: number }[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const clock = { ms: 0 };
    const config = readConfig({ OFFLINE: 'true' });
    const shared: Shared = { config, db, log, now: Date.now, monotonicMs: () => clock.ms };
    return { shared, lines, clock };
  };
  const buffer = (name: string, write: (batch: readonly number[]) => Promise<void>) => {
    const pending = createPendingQueue<number>();
    const made = createWriteBehind<readonly number[]>({
      name,
      pending,
      batchSize: 10,
      flushEveryMs: 5,
      failure: 'not written',
      write,
    });
    return { made, add: pending.add };
  };

  it('flushes buffers on their schedule and reports jobs in the metrics', async (t) => {
    const { shared } = await start(t, await fresh());
    const written: number[] = [];
    const { made, add } = buffer('num_bers', async (batch) => void written.push(...batch));
    const features: Feature[] = [{ buffers: [made] }];
    const running = runFeatures(shared, features);
    add(1);
    await until(() => written.length === 1);
    await until(() => (running.jobs()[0]?.runs ?? 0) > 0);
    const text = await createMetrics(features, running.jobMetrics.metrics).metrics();
    assert.match(text, /signalpost_job_seconds_count\{name="flush-num-bers"\} \d/);
    assert.match(text, /signalpost_job_last_success_timestamp_seconds\{name="flush-num-bers"\} \d/);
    assert.match(text, /signalpost_unwritten_entries\{what="num_bers"\} 0/);
    await running.close();
  });

  it('ends each feature before the ones it was built on: jobs, then buffers, then the rest', async (t) => {
    const { shared } = await start(t, await fresh());
    const events: string[] = [];
    let started = 0;
    const feature = (name: string): Feature => {
      const { made, add } = buffer(name, async () => void events.push(`${name} flushed`));
      return {
        jobs: [
          {
            name: `work-${name}`,
            everyMs: 1,
            failure: null,
            run: (signal) =>
              new Promise<void>((done) => {
                started += 1;
                signal.addEventListener('abort', () => {
                  add(1);
                  events.push(`${name} aborted`);
                  done();
                });
              }),
          },
        ],
        buffers: [made],
        async close() {
          events.push(`${name} closed`);
        },
      };
    };
    const running = runFeatures(shared, [feature('one'), feature('two')]);
    await until(() => started === 2);
    await running.close();
    const expected = ['two', 'one'].flatMap((name) => [`${name} aborted`, `${name} flushed`, `${name} closed`]);
    assert.deepEqual(events, expected);
  });

  it('logs a job that keeps failing once a minute, and entries that are lost at the stop', async (t) => {
    const { shared, lines, clock } = await start(t, await fresh());
    const { made, add } = buffer('numbers', () => Promise.reject(new AppError('service_unavailable')));
    const running = runFeatures(shared, [{ buffers: [made] }]);
    add(1);
    add(2);
    const failures = () => running.jobs()[0]?.failures ?? 0;
    await until(() => failures() >= 3);
    assert.deepEqual(
      lines.map(({ msg, job }) => [msg, job]),
      [['not written', 'flush-numbers']],
    );
    clock.ms = 60_000;
    const before = failures();
    await until(() => failures() > before + 1);
    assert.equal(lines.length, 2);
    await running.close();
    assert.deepEqual([lines.at(-1)?.msg, lines.at(-1)?.lost], ['entries lost: storage is unavailable at the stop', 2]);
  });
});
