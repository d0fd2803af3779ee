import { yieldToEventLoop } from './yielding.ts';

/** Something that knows by itself whether it waits. */
export interface Waiting {
  isWaiting: boolean;
}

/** What waits for something, each once. A `Set` would be searched, and grow anew after each round. */
export class WaitingList<T extends Waiting> {
  #waiting: T[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  add(one: T): void {
    if (one.isWaiting) return;
    one.isWaiting = true;
    this.#waiting.push(one);
  }

  /** Hands over all that wait, in the order in which they came. */
  take(): T[] {
    const taken = this.#waiting;
    this.#waiting = [];
    for (const one of taken) one.isWaiting = false;
    return taken;
  }

  /** Has all that wait written, so many at a time; others have their turn in between. What could not be written waits again. */
  async drain(atOnce: number, write: (some: readonly T[]) => Promise<void>): Promise<void> {
    const taken = this.take();
    for (let start = 0; start < taken.length; start += atOnce) {
      if (start > 0) await yieldToEventLoop();
      try {
        await write(taken.slice(start, start + atOnce));
      } catch (error) {
        for (const one of taken.slice(start)) this.add(one);
        throw error;
      }
    }
  }
}
