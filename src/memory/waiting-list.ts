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
}
