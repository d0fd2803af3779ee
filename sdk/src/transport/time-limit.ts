/** The longest a timer can run; a longer one would fire immediately. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Runs work until it ends, the time is up or the caller gives up, whichever comes first. The work is notified through its signal, and
 * is not waited for if it does not listen.
 */
export async function withTimeLimit<T>(
  limitMs: number,
  caller: AbortSignal | undefined,
  timeUp: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const passOn = () => controller.abort(caller?.reason);
  caller?.addEventListener('abort', passOn, { once: true });
  const timer = setTimeout(() => controller.abort(timeUp()), Math.min(limitMs, longestTimerMs));
  const ended = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([ended, work(signal)]);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', passOn);
  }
}

/** Waits, unless the signal ends it. */
export function pause(forMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, forMs);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
