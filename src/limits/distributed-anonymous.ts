import { addressGroup } from '../accounts/address-group.ts';
import { anonymousCaller } from '../accounts/anonymous.ts';
import type { Admission, Anonymous } from '../http/admission.ts';
import type { LimitCounters } from './limit-counters.ts';

/** Lets each address make `perHour` lookups in any hour without a key, on all processes together; on each where they cannot be counted together. */
export function createDistributedAnonymous(
  counts: LimitCounters,
  perHour: number,
  alone: (ip: string) => Anonymous | null,
  onFallback: () => void,
): Admission['takeAnonymous'] {
  const takeAlone = (ip: string): Anonymous | null => {
    onFallback();
    return alone(ip);
  };
  return (ip) => {
    if (perHour === 0) return null;
    if (counts.isUnavailable()) return takeAlone(ip);
    return counts.takeAnonymous(addressGroup(ip), perHour).then(
      (waitMs) => ({ caller: anonymousCaller, retryAfterSeconds: Math.ceil(waitMs / 1000) }),
      () => takeAlone(ip),
    );
  };
}
