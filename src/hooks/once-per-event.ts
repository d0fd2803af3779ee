import { hash } from 'node:crypto';
import { boundedMap } from '../platform/bounded-map.ts';
import type { Hook } from './hook.ts';

const keptMs = 600_000;
const maxKept = 10_000;

/** One decision for an event, however often the auth server sends it. */
export interface Event {
  readonly hook: Pick<Hook, 'id'>;
  /** Without one, every call is its own event. */
  readonly eventId: string | null;
  readonly email: string;
}

/**
 * Shares the result of an event between its repetitions within ten minutes, also concurrent ones. Results for which `isKept` says no
 * are shared only while they are made.
 */
export function createOncePerEvent<T>(monotonicMs: () => number, isKept: (result: T) => boolean) {
  const kept = boundedMap<string, { readonly result: Promise<T>; readonly untilMs: number }>(maxKept);
  return ({ hook, eventId, email }: Event, work: () => Promise<T>): Promise<T> => {
    if (eventId === null) return work();
    // A hash, because the sender chooses how long an event id is.
    const key = hash('sha256', JSON.stringify([hook.id, eventId, email]), 'base64');
    const known = kept.get(key);
    if (known !== undefined && known.untilMs > monotonicMs()) return known.result;
    const forget = (): void => {
      if (kept.get(key)?.result === result) kept.delete(key);
    };
    const result = work();
    kept.set(key, { result, untilMs: monotonicMs() + keptMs });
    result.then((made) => {
      if (!isKept(made)) forget();
    }, forget);
    return result;
  };
}
