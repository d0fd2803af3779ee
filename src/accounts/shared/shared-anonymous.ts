import type { Admission, Anonymous } from '../../http/admission.ts';
import { addressGroup } from '../address-group.ts';
import { anonymousCaller } from '../anonymous.ts';
import type { SharedCounts } from './shared-counts.ts';

/** Lets each address make `perHour` lookups in any hour without a key, on all processes together; on each where they cannot be counted together. */
export function createSharedAnonymous(
  counts: SharedCounts,
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
    if (counts.isAway()) return takeAlone(ip);
    return counts.takeAnonymous(addressGroup(ip), perHour).then(
      (waitMs) => ({ caller: anonymousCaller, retryAfterSeconds: Math.ceil(waitMs / 1000) }),
      () => takeAlone(ip),
    );
  };
}
