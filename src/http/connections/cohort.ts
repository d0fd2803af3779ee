/** Does work soon, together with other work of its kind. */
export type InCohort = (work: () => void) => void;

/**
 * Gathers what comes in one round of the event loop and does it in one go, in the order it came, at the end of the round or when there is
 * enough of it. What is done several times in a row finds its code and data in the caches of the processor, where one request
 * read, answered and written by itself would find those of something else: with 16 clients a warm lookup takes three quarters
 * of the processor time, and a decision not much more than half.
 */
export function createCohorts(most: number): InCohort {
  let waiting: (() => void)[] = [];
  const doAll = (): void => {
    const all = waiting;
    waiting = [];
    for (const work of all) work();
  };
  return (work) => {
    const count = waiting.push(work);
    if (count === 1) setImmediate(doAll);
    if (count >= most) doAll();
  };
}
