import { setImmediate as nextTick } from 'node:timers/promises';
import { nextTurn, resumeLowPriority } from './low-priority.ts';
import { sliceMs as defaultSliceMs } from './turns.ts';

/** Called between the steps of a long task: a promise once its slice is used up, null while the task may continue. */
export type YieldWhenDue = () => Promise<void> | null;

/** Every yielding task of normal priority queues behind this promise. */
let lastYield: Promise<void> = Promise.resolve();

function nextYield(): Promise<void> {
  lastYield = lastYield.then(() => nextTick());
  return lastYield;
}

/**
 * Slices one long task. Tasks that yield resume one per iteration of the event loop, however many there are, so that a request
 * waits for one slice rather than for all of them.
 */
export function createYielder(
  monotonicMs: () => number = performance.now.bind(performance),
  sliceMs = defaultSliceMs,
): YieldWhenDue {
  let sliceEndMs = monotonicMs() + sliceMs;
  const pause = async (): Promise<void> => {
    await (nextTurn() ?? nextYield());
    sliceEndMs = monotonicMs() + sliceMs;
  };
  return () => (monotonicMs() < sliceEndMs ? null : pause());
}

/** Lets the event loop serve other work, between batches that are each short. */
export function yieldToEventLoop(): Promise<void> {
  return nextTurn() ?? nextTick();
}

/**
 * For work that arrives call by call rather than as one task: null until its calls have held the event loop for `sliceMs`, then a
 * promise. Awaiting promises that are already resolved never reaches the event loop, however many there are. It makes no difference
 * between priorities: low-priority work in a transaction must not pause while others wait for its lock.
 */
export function createLoopGuard(sliceMs = defaultSliceMs): YieldWhenDue {
  let startedMs: number | null = null;
  const start = (): void => {
    startedMs = performance.now();
    setImmediate(() => {
      startedMs = null;
    });
  };
  return () => {
    if (startedMs === null) start();
    else if (performance.now() - startedMs >= sliceMs) return nextTick().then(resumeLowPriority);
    return null;
  };
}
