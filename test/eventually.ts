import { setTimeout as sleep } from 'node:timers/promises';

/** Tries until the assertion holds; gives up after `withinMs` with what the last try said. */
export async function eventually(assertion: () => Promise<void>, withinMs = 10_000): Promise<void> {
  for (const giveUpAt = Date.now() + withinMs; ; await sleep(20)) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (Date.now() >= giveUpAt) throw error;
    }
  }
}
