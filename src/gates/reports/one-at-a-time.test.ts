import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AppError } from '../../errors.ts';
import { createOneAtATime } from './one-at-a-time.ts';

it('work of one account runs one at a time, in the order it came, and what would wait too long is refused [Q71]', async () => {
  const run = createOneAtATime(2, 7);
  const events: string[] = [];
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const work = (name: string, until: Promise<unknown> = Promise.resolve()) =>
    run('account', async () => {
      events.push(`${name} begins`);
      await until;
      events.push(`${name} ends`);
      return name;
    });
  const accepted = [work('a', held), work('b'), work('c')];
  await assert.rejects(work('d'), (error) => {
    assert.ok(error instanceof AppError);
    assert.deepEqual([error.code, error.retryAfterSeconds], ['rate_limit_exceeded', 7]);
    return true;
  });
  letGo();
  assert.deepEqual(await Promise.all(accepted), ['a', 'b', 'c']);
  assert.deepEqual(events, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  assert.equal(await work('e'), 'e');
});

it('the next work runs after work that failed', async () => {
  const run = createOneAtATime(2, 1);
  const failing = run('account', () => Promise.reject(new Error('no')));
  const next = run('account', async () => 'yes');
  await assert.rejects(failing, /no/);
  assert.equal(await next, 'yes');
});

it('work of one account does not wait for that of another [Q71]', async () => {
  const run = createOneAtATime(0, 1);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const long = run('one', () => held);
  assert.equal(await run('two', async () => 'served'), 'served');
  await assert.rejects(run('one', async () => 'refused'));
  letGo();
  await long;
});
