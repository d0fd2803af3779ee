import { boundedMap } from './bounded-map.ts';

/** Timestamps kept for all keys together; the key used least recently is evicted first. */
const maxTimes = 1_000_000;

/** At most `limit` events in any span of `windowMs`. */
export interface Window {
  readonly limit: number;
  readonly windowMs: number;
}

/** A window whose events all processes count together, under its name. */
export interface NamedWindow extends Window {
  readonly name: string;
}

/** Counts an event of a key. Returns the seconds until the next is allowed: 0 when this one is. */
export type TakeFromWindow = (key: string) => number | Promise<number>;

/** Allows each key the events of a window, counted in this process. */
export function createSlidingWindow({ limit, windowMs }: Window, monotonicMs: () => number): (key: string) => number {
  const timesByKey = boundedMap<string, number[]>(Number.POSITIVE_INFINITY, { maxWeight: maxTimes });
  return (key) => {
    const nowMs = monotonicMs();
    const times = (timesByKey.get(key) ?? []).filter((atMs) => atMs > nowMs - windowMs);
    const [firstMs = nowMs] = times;
    const isAllowed = times.length < limit;
    if (isAllowed) times.push(nowMs);
    timesByKey.set(key, times, times.length);
    return isAllowed ? 0 : Math.max(1, Math.ceil((firstMs + windowMs - nowMs) / 1000));
  };
}
