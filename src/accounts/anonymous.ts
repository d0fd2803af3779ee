import type { Anonymous } from '../http/admission.ts';
import type { Caller } from '../http/endpoint.ts';
import { createEvictionCursor } from '../platform/eviction-cursor.ts';
import { addressGroup } from './address-group.ts';

const hourMs = 3_600_000;
/** Timestamps kept for all addresses together; the address seen least recently is evicted first. */
const maxTimes = 1_000_000;

/** The caller of a lookup without a key: has no account, and sees the fields of a plan that is not Pro. */
export const anonymousCaller: Caller = {
  keyId: '',
  accountId: '',
  environment: 'production',
  plan: { id: '', name: 'Without a key', pro: false, credits: 0, rateLimit: 1, blocklistEntries: 0 },
  overage: false,
  accountName: '',
  accountEmail: '',
  accountCreatedAtMs: 0,
};

/** Allows each address `perHour` lookups without a key in any hour; null for every address when `perHour` is 0. */
export function createAnonymous(perHour: number, monotonicMs: () => number): (ip: string) => Anonymous | null {
  const timesByAddress = new Map<string, number[]>();
  const oldest = createEvictionCursor(timesByAddress);
  let timesKept = 0;

  const evictOldest = (): void => {
    const address = oldest() ?? '';
    timesKept -= timesByAddress.get(address)?.length ?? 0;
    timesByAddress.delete(address);
  };

  return (ip) => {
    if (perHour === 0) return null;
    const nowMs = monotonicMs();
    const group = addressGroup(ip);
    const before = timesByAddress.get(group) ?? [];
    const times = before.filter((atMs) => atMs > nowMs - hourMs);
    timesKept -= before.length;
    timesByAddress.delete(group);
    const [firstMs = nowMs] = times;
    const isGranted = times.length < perHour;
    if (isGranted) times.push(nowMs);
    timesByAddress.set(group, times);
    timesKept += times.length;
    while (timesKept > maxTimes) evictOldest();
    const retryAfterSeconds = isGranted ? 0 : Math.max(1, Math.ceil((firstMs + hourMs - nowMs) / 1000));
    return { caller: anonymousCaller, retryAfterSeconds };
  };
}
