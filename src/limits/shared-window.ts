import type { LimitCounters } from '../http/limit-counters.ts';
import { createSlidingWindow, type NamedWindow, type TakeFromWindow } from '../platform/sliding-window.ts';

/** Counts events by key over all processes; in this process while the shared counters are unavailable. */
export function createSharedWindow(
  counters: LimitCounters,
  window: NamedWindow,
  monotonicMs: () => number,
  onFallback: () => void,
): TakeFromWindow {
  const takeInProcess = createSlidingWindow(window, monotonicMs);
  const takeWhileUnavailable = (key: string): number => {
    onFallback();
    return takeInProcess(key);
  };
  return (key) => {
    if (counters.isUnavailable()) return takeWhileUnavailable(key);
    return counters.takeFromWindow(window, key).then(
      (waitMs) => Math.ceil(waitMs / 1000),
      () => takeWhileUnavailable(key),
    );
  };
}
