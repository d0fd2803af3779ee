import { GuardedHttpError } from './guarded-http-error.ts';

export interface TimeLimit {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Aborts a task at its deadline or when the caller aborts, and then stops waiting for it whether it stops or not: the
 * time limit holds even against a peer that keeps a stream half open.
 */
export async function withinTime<T>(limit: TimeLimit, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const abort = () => stop.abort(new GuardedHttpError('aborted', 'The caller aborted the request'));
  if (limit.signal?.aborted) abort();
  stop.signal.throwIfAborted();
  const timer = setTimeout(
    () => stop.abort(new GuardedHttpError('timeout', `No answer within ${limit.timeoutMs} ms`)),
    Math.max(0, limit.timeoutMs),
  );
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
  });
  limit.signal?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([stopped, task(stop.signal)]);
  } finally {
    clearTimeout(timer);
    limit.signal?.removeEventListener('abort', abort);
  }
}
