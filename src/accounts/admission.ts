import type { Admission, Granted } from '../http/admission.ts';
import { anonymousCaller } from './anonymous.ts';
import type { Credits } from './credits/credits.ts';
import type { IpBlock } from './ip-block.ts';
import type { KeyCache } from './key-cache.ts';
import type { ThroughputLimiter } from './throughput.ts';

/** A lookup without a key costs no credits. */
const free: Granted = { granted: true, release() {} };

/** The checks behind admission. */
export interface AdmissionParts extends Pick<Admission, 'takeAnonymous' | 'takeHint'> {
  readonly keys: KeyCache;
  readonly throughput: ThroughputLimiter;
  readonly credits: Credits;
  readonly ipBlock: IpBlock;
}

/** Combines the checks that decide which callers are admitted and how much they may use. */
export function createAdmission({ keys, throughput, credits, ipBlock, ...limits }: AdmissionParts): Admission {
  return {
    identify: keys.identify,
    isKnown: keys.isKnown,
    takeAnonymous: limits.takeAnonymous,
    takeToken: throughput.take,
    takeHint: limits.takeHint,
    reserveCredits: (caller, count) => (caller === anonymousCaller ? free : credits.reserve(caller, count)),
    blockedForSeconds: ipBlock.blockedForSeconds,
    recordRefusal: ipBlock.recordRefusal,
  };
}
