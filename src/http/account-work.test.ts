import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../errors.ts';
import { threadCpuMs } from '../platform/low-priority.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import { createAccountWork } from './account-work.ts';

const busyFor = (ms: number): void => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'account_busy';

function createWork() {
  const charged: number[] = [];
  const work = createAccountWork({
    cpuPercent: 25,
    monotonicMs: () => performance.now(),
    onCharged: (ms) => charged.push(ms),
  });
  return { charged, work };
}

describe('the work of accounts', () => {
  it("an account's changes run one at a time, in order of arrival, and work beyond 5,000 waiting is rejected [Q71]", async () => {
    const { work } = createWork();
    const events: string[] = [];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const run = (name: string, until?: Promise<void>) =>
      work.run('account', 'usual', async () => {
        events.push(`${name} begins`);
        await until;
        events.push(`${name} ends`);
        return name;
      });
    const accepted = [run('first', held), ...Array.from({ length: 5_000 }, (_, index) => run(`waiting ${index}`))];
    await assert.rejects(run('last'), isBusy);
    assert.equal(await work.run('account', 'read', () => 'served'), 'served');
    release();
    const names = await Promise.all(accepted);
    assert.deepEqual(
      events,
      names.flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });

  it('a request whose client disconnected while it waited does not run', async () => {
    const { work } = createWork();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const client = new AbortController();
    const first = work.run('account', 'usual', () => held);
    const abandoned = work.run(
      'account',
      'usual',
      () => assert.fail('ran'),
      () => client.signal,
    );
    const last = work.run('account', 'usual', () => 'served');
    client.abort();
    await assert.rejects(abandoned, { code: 'bad_request' });
    release();
    assert.equal(await last, 'served');
    await first;
  });

  it('eight large bodies of an account are in memory at a time, and those of other accounts do not wait for them', async () => {
    const { work } = createWork();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const never = () => new AbortController().signal;
    let reading = 0;
    const read = (accountId: string) =>
      work.withBody(accountId, never, () => {
        reading += 1;
        return held;
      });
    const all = Array.from({ length: 9 }, () => read('one'));
    await yieldToEventLoop();
    assert.equal(reading, 8);
    all.push(read('two'));
    await yieldToEventLoop();
    assert.equal(reading, 9);
    release();
    await Promise.all(all);
    assert.equal(reading, 10);
  });

  it('work runs after work that failed', async () => {
    const { work } = createWork();
    const failing = work.run('account', 'usual', () => Promise.reject(new Error('no')));
    const next = work.run('account', 'usual', () => 'yes');
    await assert.rejects(failing, /no/);
    assert.equal(await next, 'yes');
  });

  it('requests that waited for one that the service could not serve fail like it, and later ones run', async () => {
    const { work } = createWork();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const first = work.run('account', 'usual', async () => {
      await held;
      throw new AppError('service_unavailable');
    });
    const waiting = [1, 2].map(() => work.run('account', 'usual', () => 'served'));
    release();
    for (const outcome of await Promise.allSettled([first, ...waiting]))
      assert.ok(outcome.status === 'rejected' && outcome.reason.code === 'service_unavailable');
    assert.equal(await work.run('account', 'usual', () => 'served'), 'served');
  });

  it("an account's work waits neither for another account's nor for its own work of another kind [Q71]", async () => {
    const { work } = createWork();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const others = ['job', 'network', 'report'] as const;
    const long = [work.run('one', 'usual', () => held), ...others.map((lane) => work.run('two', lane, () => held))];
    assert.equal(await work.run('two', 'usual', () => 'served'), 'served');
    assert.equal(await work.run('two', 'read', () => 'served'), 'served');
    release();
    await Promise.all(long);
  });

  it('work is charged its processor time, also after waiting, and neither the time it waits nor that of other programs [D700]', async () => {
    const { work, charged } = createWork();
    const started = threadCpuMs();
    await work.run('account', 'usual', async () => {
      busyFor(20);
      await Promise.resolve();
      busyFor(20);
      // Blocks the thread without using the processor, as other programs of a busy machine do.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    });
    const usedMs = threadCpuMs() - started;
    const total = charged.reduce((sum, ms) => sum + ms, 0);
    assert.ok(total > 0 && total <= usedMs, `${charged.join(' ')} of ${usedMs}`);
  });
});
