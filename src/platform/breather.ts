import { setImmediate as nextTurn } from 'node:timers/promises';

/** Called between pieces of work: null while there is time, else a promise of when others have had their turn. */
export type Breather = () => Promise<void> | null;

/**
 * Lets the event loop run once work has kept it for `sliceMs`. Awaiting work that is done at once never does: its
 * continuations all run before anything else is looked at, however many they are.
 */
export function createBreather(sliceMs: number): Breather {
  let beganMs: number | null = null;
  const begin = (): void => {
    beganMs = performance.now();
    setImmediate(() => {
      beganMs = null;
    });
  };
  return () => {
    if (beganMs === null) begin();
    else if (performance.now() - beganMs >= sliceMs) return nextTurn();
    return null;
  };
}
