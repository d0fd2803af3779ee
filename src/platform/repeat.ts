/** Work that comes round again and again until it is stopped. */
export interface Repeating {
  /** No further round begins; resolves when the one under way is done. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `intervalMs`, for the first time after `firstMs`, one round at a time. A failed round is reported and
 * does not end the repetition.
 */
export function repeat(
  intervalMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
  firstMs = intervalMs,
): Repeating {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  let stopped = false;
  const next = (afterMs: number): void => {
    timer = setTimeout(() => {
      round = work()
        .catch(onError)
        .then(() => {
          if (!stopped) next(intervalMs);
        });
    }, afterMs).unref();
  };
  next(firstMs);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      return round;
    },
  };
}
