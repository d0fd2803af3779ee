import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Challenge as AltchaChallenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { type Challenge, type Challenges, createChallenges } from '../src/challenge/challenges.ts';

const settings = { secret: 's'.repeat(32), cost: 10, maxAttempts: 8 };
const email = 'jane@example.com';

/** A challenge and its solution, found by ALTCHA's own library. */
async function solved(challenges: Challenges, change: (challenge: Challenge) => unknown = (same) => same) {
  const challenge = change(await challenges.issue(email, { decisionId: 'D1' })) as AltchaChallenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return { challenge, solution, payload: btoa(JSON.stringify({ challenge, solution })) };
}

describe('a challenge', () => {
  test('a challenge is passed once with its solution, for its address, and names its decision [C20]', async () => {
    const challenges = createChallenges(settings);
    const { payload } = await solved(challenges);
    assert.equal(await challenges.verify('joe@example.com', payload), null);
    assert.deepEqual(await challenges.verify(email, payload), { decisionId: 'D1' });
    assert.equal(await challenges.verify(email, payload), null);
  });

  test('a challenge is not passed without work: wrong counter, changed parameters, another secret, nothing at all [C20]', async () => {
    const challenges = createChallenges(settings);
    const { challenge, solution } = await solved(challenges);
    const send = (sent: object) => challenges.verify(email, btoa(JSON.stringify(sent)));
    const { parameters } = challenge;
    const wrong = { counter: 0, derivedKey: parameters.keyPrefix.padEnd(64, '0') };
    assert.equal(await send({ challenge, solution: wrong }), null);
    for (const changed of [
      { cost: 1 },
      { keyPrefix: '00' },
      { expiresAt: 4_000_000_000 },
      { data: { email, max: 0 } },
    ]) {
      assert.equal(
        await send({ challenge: { ...challenge, parameters: { ...parameters, ...changed } }, solution }),
        null,
      );
    }
    const foreign = await solved(createChallenges({ ...settings, secret: 't'.repeat(32) }));
    assert.equal(await challenges.verify(email, foreign.payload), null);
    for (const nothing of [
      undefined,
      null,
      7,
      '',
      'ask',
      '%%%',
      btoa('{}'),
      btoa('null'),
      'x'.repeat(100_000),
      ['x'],
    ]) {
      assert.equal(await challenges.verify(email, nothing), null);
    }
    assert.deepEqual(await send({ challenge, solution }), { decisionId: 'D1' });
  });

  test('a challenge expires [C20]', async () => {
    const challenges = createChallenges({ ...settings, expiresInMs: -2_000 });
    assert.equal(await challenges.verify(email, (await solved(challenges)).payload), null);
  });

  test('a challenge of no effort is solved by the first attempt', async () => {
    const challenges = createChallenges(settings);
    const challenge = (await challenges.issue(email, { effort: 'none' })) as AltchaChallenge;
    assert.equal((await solveChallenge({ challenge, deriveKey }))?.counter, 0);
  });

  test('a challenge is used once by several processes that share a record of used ones', async () => {
    const ids = new Set<string>();
    const used = { add: async (id: string) => !ids.has(id) && Boolean(ids.add(id)) };
    const [one, other] = [createChallenges({ ...settings, used }), createChallenges({ ...settings, used })];
    const { payload } = await solved(one);
    assert.deepEqual(await other.verify(email, payload), { decisionId: 'D1' });
    assert.equal(await one.verify(email, payload), null);
  });

  test('a challenge needs a secret of 32 characters', () => {
    assert.throws(() => createChallenges({ secret: 'short' }), /at least 32 characters/);
  });
});
