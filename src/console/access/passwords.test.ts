import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../errors.ts';
import { createPasswords } from './passwords.ts';

/** As cheap as it gets: what is tested is not the cost. */
const cheap = { logN: 4, r: 8, p: 1 };

describe('passwords', () => {
  const passwords = createPasswords(cheap);

  it('are stored as a hash with its cost, a different one each time', async () => {
    const one = await passwords.hash('correct horse battery', 'jane');
    assert.match(one, /^scrypt\$4\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    assert.notEqual(await passwords.hash('correct horse battery', 'jane'), one);
  });

  it('match their hash, even with an older cost, and others do not', async () => {
    const stored = await passwords.hash('correct horse battery', 'jane');
    const dearer = createPasswords({ logN: 5, r: 8, p: 2 });
    assert.equal(await dearer.verify('correct horse battery', stored), true);
    for (const wrong of ['', 'correct horse batter', 'Correct horse battery', stored])
      assert.equal(await dearer.verify(wrong, stored), false, wrong);
  });

  it('may be typed with composed or decomposed letters', async () => {
    const stored = await passwords.hash('mein schönes Passwort', 'jane');
    assert.equal(await passwords.verify('mein scho\u0308nes Passwort', stored), true);
  });

  it('never match for a user without one', async () => {
    assert.equal(await passwords.verify('', null), false);
  });

  const isThrottled = (outcome: PromiseSettledResult<unknown>): boolean =>
    outcome.status === 'rejected' &&
    outcome.reason instanceof AppError &&
    outcome.reason.code === 'sign_in_throttled' &&
    outcome.reason.retryAfterSeconds === 5;
  const attempt = (knownUser: string | null) =>
    passwords.verify('correct horse', null, { knownUser, begin: async () => {} });

  it('of unknown clients are checked one at a time; attempts beyond the queue are throttled', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 70 }, () => attempt(null)));
    assert.equal(outcomes.filter(isThrottled).length, 70 - 1 - 60);
    assert.equal(await attempt(null), false);
  });

  it('of known users are checked and set while unknown clients fill the queue', async () => {
    const strangers = Promise.allSettled(Array.from({ length: 70 }, () => attempt(null)));
    assert.equal(await attempt('jane'), false);
    assert.match(await passwords.hash('correct horse', 'joe'), /^scrypt/);
    assert.equal((await strangers).filter(isThrottled).length, 9);
  });

  it('of one known user take one reserved slot, so that the queue stays free for other users', async () => {
    const loops = Promise.allSettled(Array.from({ length: 90 }, () => attempt('jane')));
    assert.equal(await attempt('joe'), false);
    assert.equal((await loops).filter(isThrottled).length, 90 - 1 - 61);
  });

  it('with an unknown hash format are an error, not a wrong password', async () => {
    await assert.rejects(passwords.verify('correct horse battery', 'md5$abc'), /not known: md5/);
  });
});
