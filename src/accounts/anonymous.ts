import type { Anonymous } from '../http/admission.ts';
import type { Caller } from '../http/endpoint.ts';
import { createSlidingWindow } from '../platform/sliding-window.ts';
import { addressGroup } from './address-group.ts';

const hourMs = 3_600_000;

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
  const take = createSlidingWindow(perHour, hourMs, monotonicMs);
  return (ip) => (perHour === 0 ? null : { caller: anonymousCaller, retryAfterSeconds: take(addressGroup(ip)) });
}
