import type { Deadline } from '../deadline.ts';
import { timeoutAfterIo } from './timeout-after-io.ts';

/**
 * Resolves with the promise, or with `fallback()` at the deadline or when the caller aborts; the promise itself continues.
 * The timer keeps the process alive, because a caller is waiting.
 */
export function waitUntil<T>(
  promise: Promise<T>,
  deadline: Deadline,
  now: () => number,
  fallback: () => T,
): Promise<T> {
  const leftMs = Math.min(deadline.atMs - now(), 2 ** 31 - 1);
  if (leftMs <= 0 || deadline.signal?.aborted) return Promise.resolve(fallback());
  return new Promise((resolve, reject) => {
    function stop(): void {
      timeout.cancel();
      deadline.signal?.removeEventListener('abort', giveUp);
    }
    function giveUp(): void {
      stop();
      resolve(fallback());
    }
    const timeout = timeoutAfterIo(leftMs, giveUp);
    deadline.signal?.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(stop);
  });
}
