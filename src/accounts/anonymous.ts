import type { Admission } from '../http/admission.ts';
import type { Caller } from '../http/endpoint.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import type { NamedWindow, TakeFromWindow } from '../platform/sliding-window.ts';
import { addressGroup } from './address-group.ts';

/** The lookups that each address may make without a key. */
export const anonymousWindow = (perHour: number): NamedWindow => ({
  name: 'anonymous',
  limit: perHour,
  windowMs: 3_600_000,
});

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
export function createAnonymous(perHour: number, take: TakeFromWindow): Admission['takeAnonymous'] {
  return (ip) =>
    perHour === 0
      ? null
      : mapMaybePromise(take(addressGroup(ip)), (retryAfterSeconds) => ({
          caller: anonymousCaller,
          retryAfterSeconds,
        }));
}
