// Runs in its own process: it sets environment variables.
import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pino } from 'pino';
import { temporaryDirectory } from '../../test/engines.ts';
import { until } from '../../test/eventually.ts';
import type { Started } from '../main.ts';
import { createWorkerPool } from './worker-pool.ts';

cluster.setupPrimary({ exec: join(import.meta.dirname, '../../test/made-up-worker.ts'), args: [] });

/** A pool of processes that serve nothing, with their records and the pool's log. */
function startPool(t: TestContext, processes: number, fault = '') {
  const recordFile = join(temporaryDirectory(), 'record');
  writeFileSync(recordFile, '');
  setFault(fault);
  process.env.WORKER_RECORD = recordFile;
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  const pool = createWorkerPool(log, processes);
  t.after(() => pool.stop(0));
  const started: Started[] = [];
  const record = () => readFileSync(recordFile, 'utf8').split('\n').slice(0, -1);
  const pids = () => record().flatMap((line) => /^started (\d+)/.exec(line)?.[1] ?? []);
  const startAll = () => pool.startAll((first) => started.push(first));
  return { pool, logged, started, record, pids, startAll };
}

/** Applies to workers forked after the call. */
function setFault(fault: string): void {
  process.env.WORKER_FAULT = fault;
}

const livingWorkers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker?.isDead() === false);

describe('worker pool', () => {
  it('the pool starts all workers, reports the first, and lets only the first refresh the lists', async (t) => {
    const { logged, started, record, pids, startAll } = startPool(t, 3);
    await startAll();
    assert.equal(pids().length, 3);
    assert.deepEqual(
      started.map(({ address }) => address),
      [pids()[0]],
    );
    assert.deepEqual(
      record().map((line) => line.replace(/.*LISTS_REFRESH=/, '')),
      ['', 'off', 'off'],
    );
    assert.ok(logged.includes('all workers are listening'));
  });

  it('the pool rejects its start when the first worker exits before it listens', async (t) => {
    const { startAll } = startPool(t, 2, 'exits before it listens');
    await assert.rejects(startAll(), /worker 0 exited before it listened/);
  });

  it('the pool replaces a killed worker, and another worker releases its credit leases', async (t) => {
    const { logged, record, pids, startAll } = startPool(t, 2);
    await startAll();
    const [victim = ''] = pids();
    process.kill(Number(victim), 'SIGKILL');
    await until(() => logged.includes('a new worker replaced the one that exited'));
    assert.equal(pids().length, 3);
    await until(() => record().includes(`released holder ${victim}`));
    assert.ok(logged.includes('a worker exited; another one is starting in its place'));
  });

  it('the pool logs that the credits of a dead worker expire when no worker can release them', async (t) => {
    const { logged, pids, startAll } = startPool(t, 2, 'cannot release leases');
    await startAll();
    process.kill(Number(pids()[0]), 'SIGKILL');
    await until(() => logged.includes("could not release a dead worker's credits; they expire in 60 s"));
  });

  it('the pool retries until a replacement listens', async (t) => {
    const { logged, pids, startAll } = startPool(t, 2);
    await startAll();
    setFault('exits before it listens');
    process.kill(Number(pids()[0]), 'SIGKILL');
    await until(() => logged.includes('a worker did not start; retrying in a second'));
    setFault('');
    await until(() => logged.includes('a new worker replaced the one that exited'));
    assert.equal(livingWorkers().length, 2);
  });

  it('the pool replaces every worker on request, each after its replacement listens', async (t) => {
    const { pool, logged, pids, startAll } = startPool(t, 2);
    await startAll();
    const before = pids();
    await pool.replaceAll();
    const living = livingWorkers().map((worker) => String(worker?.process.pid));
    assert.equal(living.length, 2);
    assert.deepEqual(
      living.filter((pid) => before.includes(pid)),
      [],
    );
    assert.ok(logged.includes('replaced all workers'));
    assert.ok(!logged.includes('a worker exited; another one is starting in its place'));
  });

  it('the pool kills a worker that ignores a stop, and starts no other', async (t) => {
    const { pool, pids, startAll } = startPool(t, 2, 'ignores SIGTERM');
    await startAll();
    await pool.stop(100);
    await until(() => livingWorkers().length === 0);
    assert.equal(pids().length, 2);
  });
});
