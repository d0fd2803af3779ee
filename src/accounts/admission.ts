import type { Admission, Granted } from '../http/admission.ts';
import { anonymousCaller } from './anonymous.ts';
import type { Credits } from './credits/credits.ts';
import type { IpBlock } from './ip-block.ts';
import type { KeyCache } from './key-cache.ts';
import type { ThroughputLimiter } from './throughput.ts';

/** Nobody pays for a lookup without a key. */
const free: Granted = { granted: true, release() {} };

/** Puts the parts together that decide who may call and how much. */
export function createAdmission(
  keys: KeyCache,
  throughput: ThroughputLimiter,
  credits: Credits,
  ipBlock: IpBlock,
  takeAnonymous: Admission['takeAnonymous'],
): Admission {
  return {
    identify: keys.identify,
    isKnown: keys.isKnown,
    takeAnonymous,
    takeToken: throughput.take,
    reserveCredits: (caller, count) => (caller === anonymousCaller ? free : credits.reserve(caller, count)),
    blockedForSeconds: ipBlock.blockedForSeconds,
    recordRefusal: ipBlock.recordRefusal,
  };
}
