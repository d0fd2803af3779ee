import type { Deadline } from './deadline.ts';
import { timeoutAfterIo } from './timeout-after-io.ts';

/**
 * What comes first: the promise, or the end of the caller's patience, which gives `otherwise()`. The promise goes on.
 * The timer holds the process, because somebody waits.
 */
export function waitUntil<T>(
  promise: Promise<T>,
  deadline: Deadline,
  now: () => number,
  otherwise: () => T,
): Promise<T> {
  const leftMs = Math.min(deadline.atMs - now(), 2 ** 31 - 1);
  if (leftMs <= 0 || deadline.signal?.aborted) return Promise.resolve(otherwise());
  return new Promise((resolve, reject) => {
    function stop(): void {
      patience.cancel();
      deadline.signal?.removeEventListener('abort', giveUp);
    }
    function giveUp(): void {
      stop();
      resolve(otherwise());
    }
    const patience = timeoutAfterIo(leftMs, giveUp);
    deadline.signal?.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(stop);
  });
}
