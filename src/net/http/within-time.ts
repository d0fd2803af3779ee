import { GuardedHttpError } from './guarded-http-error.ts';

export interface TimeLimit {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Runs a task that is told to stop when its time is up or the caller gives up, and that is left behind at that
 * moment whether it stops or not: the time limit holds even against a peer that keeps a stream half open.
 */
export async function withinTime<T>(limit: TimeLimit, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const giveUp = () => stop.abort(new GuardedHttpError('aborted', 'The caller gave up'));
  if (limit.signal?.aborted) giveUp();
  stop.signal.throwIfAborted();
  const timer = setTimeout(
    () => stop.abort(new GuardedHttpError('timeout', `No answer within ${limit.timeoutMs} ms`)),
    Math.max(0, limit.timeoutMs),
  );
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
  });
  limit.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([stopped, task(stop.signal)]);
  } finally {
    clearTimeout(timer);
    limit.signal?.removeEventListener('abort', giveUp);
  }
}
