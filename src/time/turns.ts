import { setImmediate as nextTurn } from 'node:timers/promises';

/** Others are served after this long. */
const sliceMs = 5;

/** Asked between steps of long work: a promise when it is the turn of others, null when the work may go on. */
export type TakeTurn = () => Promise<void> | null;

/** Turns for one piece of work that begins now. */
export function createTurns(monotonicMs: () => number): TakeTurn {
  let sliceEndMs = monotonicMs() + sliceMs;
  const pause = async (): Promise<void> => {
    await nextTurn();
    sliceEndMs = monotonicMs() + sliceMs;
  };
  return () => (monotonicMs() < sliceEndMs ? null : pause());
}
