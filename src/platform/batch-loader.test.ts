import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createBatchLoader } from './batch-loader.ts';

/** Answers a question with its double, when the test says so. */
function start() {
  const rounds: { readonly questions: readonly number[]; end(): void; fail(error: Error): void }[] = [];
  const ask = createBatchLoader(async (questions: readonly number[]) => {
    const { promise, resolve: end, reject: fail } = Promise.withResolvers<void>();
    rounds.push({ questions, end, fail });
    await promise;
    return questions.map((question) => 2 * question);
  });
  const asked = () => rounds.map(({ questions }) => questions);
  return { ask, rounds, asked };
}

describe('asking together', () => {
  it('questions asked together in one breath are one round, and each gets its own answer', async () => {
    const { ask, rounds, asked } = start();
    const answers = [ask(1), ask(2), ask(3)];
    await turn();
    assert.deepEqual(asked(), [[1, 2, 3]]);
    rounds[0]?.end();
    assert.deepEqual(await Promise.all(answers), [2, 4, 6]);
  });

  it('questions asked together are asked at once as long as fewer than three rounds are under way', async () => {
    const { ask, rounds, asked } = start();
    const answers: Promise<number>[] = [];
    for (const question of [1, 2, 3]) {
      answers.push(ask(question));
      await turn();
    }
    assert.deepEqual(asked(), [[1], [2], [3]]);
    rounds[2]?.end();
    assert.equal(await answers[2], 6);
    void ask(4);
    await turn();
    assert.deepEqual(asked(), [[1], [2], [3], [4]]);
  });

  it('questions asked together do not wait for rounds that get no answer', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { ask, rounds, asked } = start();
    for (const question of [1, 2, 3]) {
      void ask(question);
      await turn();
    }
    for (const [first, second] of [
      [4, 5],
      [6, 7],
    ] as const) {
      const answers = [ask(first), ask(second)];
      mock.timers.tick(99);
      await turn();
      assert.notDeepEqual(asked().at(-1), [first, second]);
      mock.timers.tick(1);
      await turn();
      assert.deepEqual(asked().at(-1), [first, second]);
      rounds.at(-1)?.end();
      assert.deepEqual(await Promise.all(answers), [2 * first, 2 * second]);
    }
  });

  it('questions asked together are no more than three rounds again when those that got no answer have ended', async ({
    mock,
  }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { ask, rounds, asked } = start();
    for (let question = 0; question < 6; question += 1) {
      void ask(question);
      mock.timers.tick(100);
      await turn();
    }
    assert.deepEqual(asked(), [[0], [1], [2], [3], [4], [5]]);
    for (const { end } of rounds.slice()) {
      void ask(6);
      end();
      await turn();
    }
    assert.deepEqual(asked().slice(6), [[6, 6, 6, 6], [6], [6]]);
    void ask(7);
    await turn();
    assert.equal(rounds.length, 9, 'it waits, because three are under way');
  });

  it('questions asked together wait while three rounds are under way, and are one round when one of these ends', async () => {
    const { ask, rounds, asked } = start();
    for (const question of [1, 2, 3]) {
      void ask(question);
      await turn();
    }
    const [fourth, fifth] = [ask(4), ask(5)];
    await turn();
    assert.equal(rounds.length, 3);
    rounds[1]?.end();
    await turn();
    assert.deepEqual(asked()[3], [4, 5]);
    rounds[3]?.end();
    assert.deepEqual([await fourth, await fifth], [8, 10]);
  });

  it('questions asked together are a hundred at most in one round', async () => {
    const { ask, rounds, asked } = start();
    const answers = Promise.all(Array.from({ length: 250 }, (_, question) => ask(question)));
    for (let round = 0; round < 3; round += 1) {
      await turn();
      for (const { end } of rounds) end();
    }
    assert.deepEqual(
      await answers,
      Array.from({ length: 250 }, (_, question) => 2 * question),
    );
    assert.deepEqual(
      asked().map(({ length }) => length),
      [100, 100, 50],
    );
  });

  it('questions asked together fail together, and those after them do not', async () => {
    const { ask, rounds } = start();
    const failing = [ask(1), ask(2)];
    await turn();
    rounds[0]?.fail(new Error('no answer'));
    for (const one of failing) await assert.rejects(one, /no answer/);
    const later = ask(3);
    await turn();
    rounds[1]?.end();
    assert.equal(await later, 6);
  });

  it('questions asked together fail when answers are missing, instead of waiting for ever', async () => {
    const ask = createBatchLoader(async (questions: readonly number[]) => questions.slice(1));
    await assert.rejects(Promise.all([ask(1), ask(2)]), /2 questions, 1 answers/);
  });
});
