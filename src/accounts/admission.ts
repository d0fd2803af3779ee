import type { Admission } from '../http/admission.ts';
import type { Credits } from './credits.ts';
import type { IpBlock } from './ip-block.ts';
import type { KeyCache } from './key-cache.ts';
import type { ThroughputLimiter } from './throughput.ts';

/** Puts the parts together that decide who may call and how much. */
export function createAdmission(
  keys: KeyCache,
  throughput: ThroughputLimiter,
  credits: Credits,
  ipBlock: IpBlock,
): Admission {
  return {
    identify: keys.identify,
    takeToken: throughput.take,
    reserveCredits: credits.reserve,
    blockedForSeconds: ipBlock.blockedForSeconds,
    recordRefusal: ipBlock.recordRefusal,
  };
}
