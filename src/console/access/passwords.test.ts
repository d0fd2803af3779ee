import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../errors.ts';
import { createPasswords } from './passwords.ts';

/** As cheap as it gets: what is tested is not the cost. */
const cheap = { logN: 4, r: 8, p: 1 };

describe('passwords', () => {
  const passwords = createPasswords(cheap);

  it('are stored as a hash with its cost, a different one each time', async () => {
    const one = await passwords.hash('correct horse battery');
    assert.match(one, /^scrypt\$4\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    assert.notEqual(await passwords.hash('correct horse battery'), one);
  });

  it('match their hash, even with an older cost, and others do not', async () => {
    const stored = await passwords.hash('correct horse battery');
    const dearer = createPasswords({ logN: 5, r: 8, p: 2 });
    assert.equal(await dearer.verify('correct horse battery', stored), true);
    for (const wrong of ['', 'correct horse batter', 'Correct horse battery', stored])
      assert.equal(await dearer.verify(wrong, stored), false, wrong);
  });

  it('may be typed with composed or decomposed letters', async () => {
    const stored = await passwords.hash('mein schönes Passwort');
    assert.equal(await passwords.verify('mein scho\u0308nes Passwort', stored), true);
  });

  it('never match for a user without one', async () => {
    assert.equal(await passwords.verify('', null), false);
  });

  it('are hashed two at a time; attempts beyond the queue are throttled', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => passwords.hash('correct horse')));
    const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    assert.equal(refused.length, 40 - 2 - 20);
    for (const { reason } of refused)
      assert.ok(reason instanceof AppError && reason.code === 'sign_in_throttled' && reason.retryAfterSeconds === 5);
    assert.match(await passwords.hash('and later again'), /^scrypt/);
  });

  it('with an unknown hash format are an error, not a wrong password', async () => {
    await assert.rejects(passwords.verify('correct horse battery', 'md5$abc'), /not known: md5/);
  });
});
