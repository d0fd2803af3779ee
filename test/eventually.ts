import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bounds a wait that never ends; a busy machine takes many times as long as an idle one. */
const longestMs = 120_000;

/** Most attempts are queries or requests, which cost processor time that other test files need. */
const maxPauseMs = 100;

/** Retries until the assertion holds; fails after `withinMs` with the last error. */
export async function eventually(assertion: () => Promise<void>, withinMs = longestMs): Promise<void> {
  const deadlineMs = Date.now() + withinMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (Date.now() >= deadlineMs) throw error;
    }
    await sleep(pauseMs);
  }
}

/** Waits until a condition holds; fails after `withinMs`. */
export function until(holds: () => boolean | Promise<boolean>, withinMs = longestMs): Promise<void> {
  return eventually(async () => assert.ok(await holds(), `is still false: ${holds}`), withinMs);
}

/** Repeats a request until its answer is as wanted, and returns it; fails with the last answer after `withinMs`. */
export async function untilAnswer<T>(
  ask: () => Promise<T>,
  isWanted: (answer: T) => boolean,
  withinMs = longestMs,
): Promise<T> {
  let answer = await ask();
  await eventually(async () => {
    if (!isWanted(answer)) answer = await ask();
    assert.ok(isWanted(answer), `is still false: ${isWanted}, the last answer was ${JSON.stringify(answer)}`);
  }, withinMs);
  return answer;
}
