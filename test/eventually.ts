import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bounds a wait that never ends; a busy machine takes many times as long as an idle one. */
const longestMs = 120_000;

/** Tries until the assertion holds; gives up after `withinMs` with what the last try said. */
export async function eventually(assertion: () => Promise<void>, withinMs = longestMs): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, 20)) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (Date.now() >= giveUpAt) throw error;
    }
    await sleep(pauseMs);
  }
}

/** Waits until something holds; fails when that takes longer than `withinMs`. */
export function until(holds: () => boolean | Promise<boolean>, withinMs = longestMs): Promise<void> {
  return eventually(async () => assert.ok(await holds(), `did not come about: ${holds}`), withinMs);
}

/** Asks again until the answer is as wanted, and gives it; fails with the last answer after `withinMs`. */
export async function untilAnswer<T>(
  ask: () => Promise<T>,
  isWanted: (answer: T) => boolean,
  withinMs = longestMs,
): Promise<T> {
  let answer = await ask();
  await eventually(async () => {
    if (!isWanted(answer)) answer = await ask();
    assert.ok(isWanted(answer), `did not come about: ${isWanted}, but ${JSON.stringify(answer)}`);
  }, withinMs);
  return answer;
}
