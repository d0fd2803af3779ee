import { addressGroup } from '../accounts/address-group.ts';
import { anonymousCaller } from '../accounts/anonymous.ts';
import type { Admission, Anonymous } from '../http/admission.ts';
import type { LimitCounters } from '../platform/limit-counters.ts';

/**
 * Allows each address `perHour` lookups without a key in any hour, counted over all processes; while the shared counters are
 * unavailable, `takeInProcess` counts in this process.
 */
export function createDistributedAnonymous(
  counters: LimitCounters,
  perHour: number,
  takeInProcess: (ip: string) => Anonymous | null,
  onFallback: () => void,
): Admission['takeAnonymous'] {
  const takeWhileUnavailable = (ip: string): Anonymous | null => {
    onFallback();
    return takeInProcess(ip);
  };
  return (ip) => {
    if (perHour === 0) return null;
    if (counters.isUnavailable()) return takeWhileUnavailable(ip);
    return counters.takeAnonymous(addressGroup(ip), perHour).then(
      (waitMs) => ({ caller: anonymousCaller, retryAfterSeconds: Math.ceil(waitMs / 1000) }),
      () => takeWhileUnavailable(ip),
    );
  };
}
