import { setImmediate as nextTurn } from 'node:timers/promises';

/** Others are served after this long. */
const sliceMs = 5;

/** Asked between steps of long work: a promise when it is the turn of others, null when the work may go on. */
export type TakeTurn = () => Promise<void> | null;

/** The last turn that was asked for by any piece of work in this process. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Turns for one piece of work that begins now. In each round of the event loop one piece goes on, however many there are, so
 * that others wait for one slice and not for all of them.
 */
export function createTurns(monotonicMs: () => number): TakeTurn {
  let sliceEndMs = monotonicMs() + sliceMs;
  const pause = async (): Promise<void> => {
    lastTurn = lastTurn.then(() => nextTurn());
    await lastTurn;
    sliceEndMs = monotonicMs() + sliceMs;
  };
  return () => (monotonicMs() < sliceEndMs ? null : pause());
}
