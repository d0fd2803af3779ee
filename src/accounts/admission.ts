import type { Admission, Granted } from '../http/admission.ts';
import { anonymousCaller } from './anonymous.ts';
import type { Credits } from './credits/credits.ts';
import type { IpBlock } from './ip-block.ts';
import type { KeyCache } from './key-cache.ts';
import type { ThroughputLimiter } from './throughput.ts';

/** A lookup without a key costs no credits. */
const free: Granted = { granted: true, release() {} };

/** Combines the checks that decide which callers are admitted and how much they may use. */
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
