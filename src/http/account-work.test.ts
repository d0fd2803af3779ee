import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../errors.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import { createAccountWork } from './account-work.ts';

const busyFor = (ms: number): void => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'account_busy';

/** One percent of a processor is a budget of 400 ms, on a stopped clock. */
function createWork(cpuPercent = 1) {
  const clock = { nowMs: 0 };
  const charged: number[] = [];
  const work = createAccountWork({
    cpuPercent,
    monotonicMs: () => clock.nowMs,
    onCharged: (ms) => charged.push(ms),
  });
  return { clock, charged, work };
}

describe('the work of accounts', () => {
  it("an account's work runs one at a time, in order of arrival, and work beyond 1,000 waiting is rejected [Q71]", async () => {
    const { work } = createWork(0);
    const events: string[] = [];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const run = (name: string, until?: Promise<void>) =>
      work.run('account', 'usual', async () => {
        events.push(`${name} begins`);
        await until;
        events.push(`${name} ends`);
        return name;
      });
    const accepted = [run('first', held), ...Array.from({ length: 1_000 }, (_, index) => run(`waiting ${index}`))];
    await assert.rejects(run('last'), isBusy);
    assert.throws(() => work.check('account', 'usual', false), isBusy);
    work.check('account', 'waiting', false);
    release();
    const names = await Promise.all(accepted);
    assert.deepEqual(
      events,
      names.flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
    work.check('account', 'usual', false);
  });

  it('a request with a body is rejected before it is read when it would wait longer than 8 seconds, one without a body is not', async () => {
    const { work, clock } = createWork();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const all = Array.from({ length: 5 }, () => work.run('account', 'usual', () => held));
    const check = (hasBody: boolean) => work.check('account', 'usual', hasBody);
    clock.nowMs += 7_000;
    check(true);
    clock.nowMs += 2_000;
    assert.throws(() => check(true), { code: 'account_busy', retryAfterSeconds: 8 });
    check(false);
    work.check('account', 'waiting', true);
    work.check('another', 'usual', true);
    release();
    await Promise.all(all);
    check(true);
  });

  it('the expected wait follows how long requests ran while others waited, and is zero again when none waits', async () => {
    const { work, clock } = createWork();
    const ends: (() => void)[] = [];
    const run = () => work.run('account', 'usual', () => new Promise<void>((end) => ends.push(end)));
    const check = () => work.check('account', 'usual', true);
    const started = async (count: number): Promise<void> => {
      while (ends.length < count) await yieldToEventLoop();
    };
    const all = [run(), run(), run()];
    await started(1);
    clock.nowMs += 36_000;
    ends[0]?.();
    await started(2);
    assert.throws(check, isBusy);
    ends[1]?.();
    await started(3);
    check();
    all.push(run());
    check();
    ends[2]?.();
    await started(4);
    ends[3]?.();
    await Promise.all(all);
    all.push(run(), run());
    check();
    await started(5);
    ends[4]?.();
    await started(6);
    ends[5]?.();
    await Promise.all(all);
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

  it("an account's work waits neither for another account's nor for its own work that waits for the network [Q71]", async () => {
    const { work } = createWork();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const long = [work.run('one', 'usual', () => held), work.run('two', 'waiting', () => held)];
    assert.equal(await work.run('two', 'usual', () => 'served'), 'served');
    release();
    await Promise.all(long);
  });

  it('work is charged the time it holds the event loop, also after waiting, and not the time it waits', async () => {
    const { work, charged } = createWork();
    const startedMs = performance.now();
    await work.run('account', 'usual', async () => {
      busyFor(20);
      await Promise.resolve();
      busyFor(20);
      await new Promise((resolve) => setTimeout(resolve, 400));
    });
    const total = charged.reduce((sum, ms) => sum + ms, 0);
    assert.ok(total >= 40 && total < performance.now() - startedMs - 390, charged.join(' '));
  });

  it('an account whose budget is used up is rejected until it has refilled, and other accounts are not', async () => {
    const { work, clock } = createWork();
    await work.run('account', 'usual', () => busyFor(410));
    await assert.rejects(
      work.run('account', 'usual', () => 'refused'),
      (error) => error instanceof AppError && error.code === 'account_busy' && (error.retryAfterSeconds ?? 0) >= 1,
    );
    assert.equal(await work.run('another', 'usual', () => 'served'), 'served');
    clock.nowMs += 60_000;
    assert.equal(await work.run('account', 'usual', () => 'served'), 'served');
  });
});
